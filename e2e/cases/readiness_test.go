package cases

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestFieldCase54_ReadinessGateDecides(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	address := newAddress()
	gated := newPod("orders-1", "orders")
	gated.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "lb.example/ok"}}
	create(t, namespace, gated, notReadyStatus(address))
	createReady(t, namespace, "orders-2", "orders")
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "orders-2")

	setStatus(t, namespace, "orders-1", readyStatus(address))
	program.expectListed(t, soon, namespace, "orders-1", "orders-2")
	program.expectDelta(t, namespace, "orders-1 ADDED")

	setStatus(t, namespace, "orders-1", notReadyStatus(address))
	program.expectListed(t, soon, namespace, "orders-2")
	program.expectDelta(t, namespace, "orders-1 DELETED")
}

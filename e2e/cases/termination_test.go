package cases

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const longGrace = 5 * time.Minute

func TestFieldCase53_TerminatingPodLeavesAtOnce(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	createReady(t, namespace, "orders-2", "orders")
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "orders-1", "orders-2")

	remove(t, namespace, "orders-1", longGrace)
	program.expectListed(t, soon, namespace, "orders-2")
	program.expectDelta(t, namespace, "orders-1 DELETED")
	expectTerminatingAndReady(t, namespace, "orders-1")

	// The end of the pod is no news to a client.
	before, err := program.list(t.Context(), "apps/delta")
	if err != nil {
		t.Fatal(err)
	}
	remove(t, namespace, "orders-1", 0)
	createReady(t, namespace, "orders-3", "orders")
	program.expectListed(t, soon, namespace, "orders-2", "orders-3")
	program.expectDelta(t, namespace, "orders-1 DELETED", "orders-3 ADDED")
	after, err := program.list(t.Context(), "apps/delta")
	if err != nil {
		t.Fatal(err)
	}
	if first, second := deletedAt(before, namespace), deletedAt(after, namespace); first == "" || first != second {
		t.Errorf("orders-1 was deleted at %q and again at %q", first, second)
	}
}

// deletedAt is when the pod orders-1 was taken off the list, as a client sees it.
func deletedAt(delta listing, namespace string) string {
	for _, instance := range delta.in(namespace) {
		if instance.Metadata["pod"] == "orders-1" && instance.ActionType == "DELETED" {
			return instance.LastUpdatedTimestamp
		}
	}
	return ""
}

// An eviction by the API, as a drained node makes one, is a deletion with grace.
func TestEviction_ByTheAPILeavesAtOnce(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "orders-1")

	err := pods(namespace).EvictV1(t.Context(), &policyv1.Eviction{
		ObjectMeta: metav1.ObjectMeta{Name: "orders-1", Namespace: namespace},
	})
	if err != nil {
		t.Fatal(err)
	}
	program.expectListed(t, soon, namespace)
	expectTerminatingAndReady(t, namespace, "orders-1")
}

// A kubelet that is short of memory ends a pod and leaves it there as Failed.
func TestEviction_ByTheKubeletLeaves(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	pod := createReady(t, namespace, "orders-1", "orders")
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "orders-1")

	evicted := readyStatus(pod.Status.PodIP)
	evicted.Phase, evicted.Reason = corev1.PodFailed, "Evicted"
	setStatus(t, namespace, "orders-1", evicted)

	program.expectListed(t, soon, namespace)
	program.expectDelta(t, namespace, "orders-1 DELETED")
}

func TestFieldCase58_FailedPodGivesItsAddressAway(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	address := createReady(t, namespace, "cart-1", "cart").Status.PodIP
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "cart-1")

	failed := readyStatus(address)
	failed.Phase = corev1.PodFailed
	setStatus(t, namespace, "cart-1", failed)
	create(t, namespace, newPod("mail-1", "mail"), readyStatus(address))

	listed := program.expectListed(t, soon, namespace, "mail-1")[0]
	if listed.App != "MAIL" || listed.IPAddr != address {
		t.Errorf("app %s at %s, want MAIL at %s", listed.App, listed.IPAddr, address)
	}
}

// expectTerminatingAndReady makes sure that a test saw what it meant to: a pod
// that is on its way out and still says that it is ready.
func expectTerminatingAndReady(t *testing.T, namespace, name string) {
	t.Helper()
	pod, err := pods(namespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if pod.DeletionTimestamp == nil || !isReady(pod) {
		t.Fatalf("pod %s is not both terminating and ready: %+v", name, pod.Status.Conditions)
	}
}

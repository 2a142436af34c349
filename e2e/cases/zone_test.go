package cases

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

func TestFieldCase84_ZoneComesFromTheNode(t *testing.T) {
	for _, test := range []struct {
		name   string
		values []string
		want   string
	}{
		{name: "nodes may be read", want: "eu-1a"},
		{name: "nodes are forbidden", values: []string{"zoneFromNodes=false"}, want: ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			namespace := newNamespace(t)
			pod := newPod("orders-1", "orders")
			pod.Spec.NodeName = createNode(t, namespace)
			create(t, namespace, pod, readyStatus(newAddress()))
			// The API server copies the zone to pods that are bound after the node
			// has it; this one can be told by its node only.
			kubectl(t, "label", "node", pod.Spec.NodeName, corev1.LabelTopologyZone+"=eu-1a")
			installed := installChart(t, namespace, test.values...)
			program := startProgram(t, installed.kubeconfig(t, ""))
			program.expectReady(t)

			// A pod may be listed before its node is known.
			suite.Eventually(t, soon, func() error {
				instance := program.expectListed(t, soon, namespace, "orders-1")[0]
				if got := instance.Metadata["zone"]; got != test.want {
					return fmt.Errorf("zone = %q, want %q", got, test.want)
				}
				return nil
			})
		})
	}
}

// createNode creates a node that nobody schedules to and returns its name.
func createNode(t *testing.T, name string) string {
	t.Helper()
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.NodeSpec{Unschedulable: true},
	}
	if _, err := client.CoreV1().Nodes().Create(t.Context(), node, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	return name
}

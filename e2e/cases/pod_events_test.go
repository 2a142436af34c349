package cases

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

// portless returns a pod that opts in and cannot be listed.
func portless(name string) *corev1.Pod {
	pod := newPod(name, "orders")
	pod.Spec.Containers[0].Ports = nil
	return pod
}

// What keeps a pod from being listed stands on the pod, once, whoever of two
// replicas says it, and kubectl shows it.
func TestPodEvents_SayWhyAPodIsNotListed(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	address := newAddress()
	create(t, namespace, portless("orders-1"), readyStatus(address))
	installed := installChart(t, namespace, "namespaces={"+namespace+"}")
	var replicas []*program
	for range 2 {
		replica := startProgram(t, installed.kubeconfig(t, ""), "--namespaces="+namespace, "--pod-events=all")
		replica.expectReady(t)
		replicas = append(replicas, replica)
	}
	expectEvents(t, namespace, "orders-1", "Warning NoPort")

	kubectl(t, "label", "pod", "orders-1", "--namespace="+namespace, "eurekube.io/port=8080")
	for _, replica := range replicas {
		replica.expectListed(t, soon, namespace, "orders-1")
	}
	expectEvents(t, namespace, "orders-1", "Warning NoPort", "Normal Listed")
	setStatus(t, namespace, "orders-1", notReadyStatus(address))
	expectEvents(t, namespace, "orders-1", "Warning NoPort", "Normal Listed", "Normal Unlisted")

	described := kubectl(t, "describe", "pod", "orders-1", "--namespace="+namespace)
	for _, words := range []string{"Not listed: no container, sidecars apart, declares a TCP port", "No longer listed, not-ready: "} {
		if !strings.Contains(described, words) {
			t.Errorf("kubectl describe pod does not show %q:\n%s", words, described)
		}
	}
}

// expectEvents waits until the pod has exactly these Events of eurekube, each as
// "TYPE REASON", in any order.
func expectEvents(t *testing.T, namespace, pod string, want ...string) {
	t.Helper()
	selector := "involvedObject.name=" + pod + ",reportingComponent=eurekube.io/eurekube"
	suite.Eventually(t, soon, func() error {
		list, err := client.CoreV1().Events(namespace).List(t.Context(), metav1.ListOptions{FieldSelector: selector})
		if err != nil {
			return err
		}
		var got []string
		for _, e := range list.Items {
			got = append(got, e.Type+" "+e.Reason)
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))); diff != "" {
			return fmt.Errorf("Events on %s differ (-want +got):\n%s", pod, diff)
		}
		return nil
	})
}

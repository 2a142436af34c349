package cases

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/e2e/suite"
)

// A ready pod gets its label the way a person gives it one.
func TestLabel_WithKubectlListsTheReadyPod(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	pod := newPod("orders-1", "orders")
	delete(pod.Labels, "eurekube.io/service")
	pod = create(t, namespace, pod, readyStatus(newAddress()))
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace)

	kubectl(t, "label", "pod", "orders-1", "--namespace="+namespace, "eurekube.io/service=orders")

	listed := program.expectListed(t, soon, namespace, "orders-1")[0]
	if got, want := listed.ID, pod.Status.PodIP+":orders:8080"; got != want {
		t.Errorf("instanceId = %q, want %q", got, want)
	}
	program.expectDelta(t, namespace, "orders-1 ADDED")

	kubectl(t, "label", "pod", "orders-1", "--namespace="+namespace, "eurekube.io/service-")
	program.expectListed(t, soon, namespace)
	program.expectDelta(t, namespace, "orders-1 DELETED")
}

func TestFieldCase52_ChangedVersionLabelIsModified(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	program := startIn(t, namespace)
	before := program.expectListed(t, soon, namespace, "orders-1")[0]

	kubectl(t, "label", "pod", "orders-1", "--namespace="+namespace, "--overwrite", "eurekube.io/version=1.1")

	program.expectDelta(t, namespace, "orders-1 MODIFIED")
	after := program.expectListed(t, soon, namespace, "orders-1")[0]
	type seen struct {
		ID, Version string
		Newer       bool
	}
	want := seen{ID: before.ID, Version: "1.1", Newer: true}
	got := seen{
		ID:      after.ID,
		Version: after.Metadata["version"],
		Newer:   after.LastUpdatedTimestamp > before.LastUpdatedTimestamp,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the instance after the change (-want +got):\n%s", diff)
	}
}

// The annotation wins over the label and names a port that the pod must have.
func TestAnnotation_PortWinsOverLabel(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	pod := newPod("orders-1", "orders")
	pod.Labels["eurekube.io/port"] = "http"
	pod.Spec.Containers[0].Ports = append(pod.Spec.Containers[0].Ports, containerPort("grpc", 9090))
	create(t, namespace, pod, readyStatus(newAddress()))
	program := startIn(t, namespace)
	if got := program.expectListed(t, soon, namespace, "orders-1")[0].Port.Number; got != 8080 {
		t.Fatalf("port = %d, want 8080 from the label", got)
	}

	kubectl(t, "annotate", "pod", "orders-1", "--namespace="+namespace, "eurekube.io/port=9090")

	suite.Eventually(t, soon, func() error {
		if got := program.expectListed(t, soon, namespace, "orders-1")[0].Port.Number; got != 9090 {
			return fmt.Errorf("port = %d, want 9090 from the annotation", got)
		}
		return nil
	})
}

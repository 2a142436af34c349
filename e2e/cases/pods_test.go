package cases

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

var lastAddress atomic.Int32

// newAddress returns an address that no other pod of the run has. Programs that
// watch the whole cluster see the pods of all tests, and two running pods with
// the same address, service and port would be one instance to a client.
func newAddress() string {
	n := lastAddress.Add(1)
	return fmt.Sprintf("10.%d.%d.%d", 128+n>>16, n>>8&0xff, n&0xff)
}

// handNode is the node of pods that tests move by hand. It does not exist
// unless a test needs what is written on it, and neither the scheduler nor kwok
// touches its pods.
const handNode = "by-hand"

// newPod returns a pod that opts in as service, not yet created.
func newPod(name, service string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:   name,
			Labels: map[string]string{"eurekube.io/service": service, "eurekube.io/version": "1.0"},
		},
		Spec: corev1.PodSpec{
			NodeName: handNode,
			Containers: []corev1.Container{{
				Name:  "app",
				Image: "app",
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
			}},
		},
	}
}

// readyStatus is what a kubelet reports of a running pod whose probes pass.
func readyStatus(ip string) corev1.PodStatus {
	// The API server keeps whole seconds.
	now := metav1.Now()
	return corev1.PodStatus{
		Phase:  corev1.PodRunning,
		PodIP:  ip,
		PodIPs: []corev1.PodIP{{IP: ip}},
		HostIP: "192.168.1.5",
		Conditions: []corev1.PodCondition{
			{Type: corev1.ContainersReady, Status: corev1.ConditionTrue, LastTransitionTime: now},
			{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: now},
		},
		ContainerStatuses: []corev1.ContainerStatus{{
			Name: "app", Image: "app", Ready: true,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		}},
		StartTime: &now,
	}
}

// notReadyStatus is a running pod whose containers are well but which waits for
// something else, such as a readiness gate.
func notReadyStatus(ip string) corev1.PodStatus {
	status := readyStatus(ip)
	status.Conditions[1].Status = corev1.ConditionFalse
	return status
}

// create creates pod in namespace with the given status and returns it as the
// API server has it then.
func create(t *testing.T, namespace string, pod *corev1.Pod, status corev1.PodStatus) *corev1.Pod {
	t.Helper()
	created, err := createPod(t.Context(), namespace, pod, status)
	if err != nil {
		t.Fatal(err)
	}
	return created
}

// createReady creates a pod of service that is ready at an address of its own.
func createReady(t *testing.T, namespace, name, service string) *corev1.Pod {
	t.Helper()
	return create(t, namespace, newPod(name, service), readyStatus(newAddress()))
}

func createPod(ctx context.Context, namespace string, pod *corev1.Pod, status corev1.PodStatus) (*corev1.Pod, error) {
	if _, err := pods(namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	return patchStatus(ctx, namespace, pod.Name, status)
}

func setStatus(t *testing.T, namespace, name string, status corev1.PodStatus) {
	t.Helper()
	if _, err := patchStatus(t.Context(), namespace, name, status); err != nil {
		t.Fatal(err)
	}
}

// patchStatus changes the status as a kubelet does, by a strategic merge patch.
func patchStatus(ctx context.Context, namespace, name string, status corev1.PodStatus) (*corev1.Pod, error) {
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return nil, err
	}
	return pods(namespace).Patch(ctx, name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
}

// remove asks for the deletion of a pod. With a grace period, which nobody here
// ends, the pod stays Terminating.
func remove(t *testing.T, namespace, name string, grace time.Duration) {
	t.Helper()
	seconds := int64(grace / time.Second)
	if err := pods(namespace).Delete(t.Context(), name, metav1.DeleteOptions{GracePeriodSeconds: &seconds}); err != nil {
		t.Fatal(err)
	}
}

func containerPort(name string, number int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: number, Protocol: corev1.ProtocolTCP}
}

// isReady reports whether the pod's Ready condition is true.
func isReady(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

package clients

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/eurekube/eurekube/e2e/devcluster"
)

// controlPlane is the cluster of the tests that want pods, started by the first of
// them.
var controlPlane struct {
	mu      sync.Mutex // guards the rest
	cluster *devcluster.Cluster
	dir     string
}

func startCluster(t *testing.T) *devcluster.Cluster {
	t.Helper()
	controlPlane.mu.Lock()
	defer controlPlane.mu.Unlock()
	if controlPlane.cluster != nil {
		return controlPlane.cluster
	}
	dir, err := os.MkdirTemp("", "eurekube-clients-")
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := devcluster.Start(t.Context(), devcluster.Config{Binary: programs.devcluster, Dir: dir})
	if err != nil {
		t.Fatalf("%v\nthe logs are in %s", err, dir)
	}
	controlPlane.cluster, controlPlane.dir = cluster, dir
	return cluster
}

// stopCluster ends the cluster if a test started it.
func stopCluster() error {
	if controlPlane.cluster == nil {
		return nil
	}
	if err := controlPlane.cluster.Stop(); err != nil {
		return err
	}
	return os.RemoveAll(controlPlane.dir)
}

// pod is a pod that the test plays the kubelet of.
type pod struct {
	*corev1.Pod
	client kubernetes.Interface
}

func newClient(t *testing.T, cluster *devcluster.Cluster) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(cluster.Admin())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// newNamespace creates a namespace for one test, which stays until the cluster goes.
func newNamespace(t *testing.T, cluster *devcluster.Cluster) string {
	t.Helper()
	created, err := newClient(t, cluster).CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "client-"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return created.Name
}

// createPod creates a pod of service, running at address and not yet ready. No node
// takes it.
func createPod(t *testing.T, cluster *devcluster.Cluster, namespace, service, address string) *pod {
	t.Helper()
	host, number, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	containerPort, err := strconv.ParseInt(number, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	client := newClient(t, cluster)
	created, err := client.CoreV1().Pods(namespace).Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:   service + "-1",
			Labels: map[string]string{"eurekube.io/service": service, "eurekube.io/version": "1.0"},
		},
		Spec: corev1.PodSpec{
			NodeName: "by-hand",
			Containers: []corev1.Container{{
				Name: "app", Image: "app",
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: int32(containerPort)}},
			}},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := &pod{Pod: created, client: client}
	p.report(t, host, false)
	return p
}

// report is reportPod for the test's own pod.
func (p *pod) report(t *testing.T, host string, ready bool) {
	t.Helper()
	if err := reportPod(t.Context(), p.client, p.Pod, host, ready); err != nil {
		t.Fatal(err)
	}
}

// remove is removePod for the test's own pod.
func (p *pod) remove(ctx context.Context, grace time.Duration) error {
	return removePod(ctx, p.client, p.Pod, grace)
}

// reportPod writes the status of a running pod as a kubelet does.
func reportPod(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod, host string, ready bool) error {
	condition := corev1.ConditionFalse
	if ready {
		condition = corev1.ConditionTrue
	}
	patch, err := json.Marshal(map[string]any{"status": corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: host, PodIPs: []corev1.PodIP{{IP: host}},
		Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: condition, LastTransitionTime: metav1.Now()}},
	}})
	if err != nil {
		return err
	}
	_, err = client.CoreV1().Pods(pod.Namespace).
		Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	if err != nil {
		return fmt.Errorf("report pod %s: %w", pod.Name, err)
	}
	return nil
}

// removePod deletes a pod. With a grace period it stays, Terminating, until it is
// removed without.
func removePod(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod, grace time.Duration) error {
	seconds := int64(grace / time.Second)
	err := client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &seconds})
	if err != nil {
		return fmt.Errorf("delete pod %s: %w", pod.Name, err)
	}
	return nil
}

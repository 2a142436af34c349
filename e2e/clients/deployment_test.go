package clients

import (
	"fmt"
	"net"
	"strconv"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"

	"github.com/eurekube/eurekube/e2e/suite"
)

func portOf(t *testing.T, address string) int {
	t.Helper()
	_, number, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// createDeployment creates a Deployment that replaces its pods two at a time and
// never has less than all of them ready. Its node is the kubelet's, which no
// scheduler knows.
func createDeployment(t *testing.T, kube kubernetes.Interface, namespace string, port int) {
	t.Helper()
	count, none, two := int32(replicas), intstr.FromInt32(0), intstr.FromInt32(2)
	labels := map[string]string{"eurekube.io/service": provider}
	_, err := kube.AppsV1().Deployments(namespace).Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: provider},
		Spec: appsv1.DeploymentSpec{
			Replicas: &count,
			// A roll takes several reads of the client.
			MinReadySeconds: 1,
			Selector:        &metav1.LabelSelector{MatchLabels: labels},
			Strategy: appsv1.DeploymentStrategy{
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxUnavailable: &none, MaxSurge: &two},
			},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: corev1.PodSpec{NodeName: "by-hand", Containers: []corev1.Container{{
					Name: "app", Image: "app",
					Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: int32(port)}},
				}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// roll changes the version in the template of the Deployment.
func (k *kubelet) roll(t *testing.T, version string) {
	t.Helper()
	patch := `{"spec":{"template":{"metadata":{"labels":{"eurekube.io/version":"` + version + `"}}}}}`
	_, err := k.client.AppsV1().Deployments(k.namespace).
		Patch(t.Context(), provider, types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// expectEnded waits until only count pods are left.
func (k *kubelet) expectEnded(t *testing.T, count int) {
	t.Helper()
	suite.Eventually(t, rollTime, func() error {
		pods, err := k.list(t)
		if err == nil && len(pods) != count {
			err = fmt.Errorf("%d pods are there, want %d", len(pods), count)
		}
		return err
	})
}

func (k *kubelet) list(t *testing.T) ([]corev1.Pod, error) {
	pods, err := k.client.CoreV1().Pods(k.namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	return pods.Items, nil
}

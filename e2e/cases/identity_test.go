package cases

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The same name comes back as another pod before the program can have seen the
// first one go.
func TestUID_SameNameIsAnotherPod(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	createReady(t, namespace, "db-0", "db")
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "db-0")

	remove(t, namespace, "db-0", 0)
	second := createReady(t, namespace, "db-0", "db")

	program.expectDelta(t, namespace, "db-0 ADDED", "db-0 DELETED")
	if got := program.expectListed(t, soon, namespace, "db-0")[0].IPAddr; got != second.Status.PodIP {
		t.Errorf("ipAddr = %s, want that of the second pod, %s", got, second.Status.PodIP)
	}
}

func TestStatefulSet_ReplacedPodIsListedWithItsNewAddress(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	createStatefulSet(t, namespace, "db", 2)
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "db-0", "db-1")
	first, err := pods(namespace).Get(t.Context(), "db-0", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}

	kubectl(t, "delete", "pod", "db-0", "--namespace="+namespace, "--wait=false")
	program.expectListed(t, soon, namespace, "db-1")
	listed := program.expectListed(t, soon, namespace, "db-0", "db-1")[0]

	second, err := pods(namespace).Get(t.Context(), "db-0", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if first.UID == second.UID {
		t.Fatal("db-0 was not replaced")
	}
	if listed.IPAddr != second.Status.PodIP {
		t.Errorf("ipAddr = %s, want that of the second pod, %s", listed.IPAddr, second.Status.PodIP)
	}
}

func createStatefulSet(t *testing.T, namespace, service string, replicas int32) {
	t.Helper()
	template := newPod(service, service)
	template.Spec.NodeName = ""
	labels := map[string]string{"eurekube.io/service": service}
	_, err := client.AppsV1().StatefulSets(namespace).Create(t.Context(), &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: service},
		Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: template.Labels},
				Spec:       template.Spec,
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFieldCase75_HostNetworkPodsShareAnAddress(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	address := newAddress()
	for _, pod := range []struct {
		name, service string
		port          int32
	}{
		{"a-1", "a", 8081},
		{"a-2", "a", 8083},
		{"b-1", "b", 8082},
	} {
		onHost := newPod(pod.name, pod.service)
		onHost.Spec.HostNetwork = true
		onHost.Spec.Containers[0].Ports = []corev1.ContainerPort{containerPort("http", pod.port)}
		create(t, namespace, onHost, readyStatus(address))
	}
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "a-1", "a-2", "b-1")

	remove(t, namespace, "a-1", 0)
	program.expectListed(t, soon, namespace, "a-2", "b-1")
}

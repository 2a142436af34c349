package cases

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/eurekube/eurekube/e2e/suite"
)

// clientTolerance is how far the view may be behind the API server.
const clientTolerance = time.Second

func TestRollout_NoTerminatingPodListedAndNoReadyOneMissing(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	const replicas = 6
	createDeployment(t, namespace, "orders", replicas)
	program := startIn(t, namespace)
	kubectl(t, "rollout", "status", "deployment/orders", "--namespace="+namespace, "--timeout=5m")
	observation := observe(t, program, namespace)

	for _, version := range []string{"2.0", "3.0"} {
		patch := `{"spec":{"template":{"metadata":{"labels":{"eurekube.io/version":"` + version + `"}}}}}`
		kubectl(t, "patch", "deployment", "orders", "--namespace="+namespace, "--patch="+patch)
		kubectl(t, "rollout", "status", "deployment/orders", "--namespace="+namespace, "--timeout=5m")
	}
	suite.Eventually(t, soon, func() error { return program.onlyVersion(t, namespace, replicas, "3.0") })

	if err := observation.stop(); err != nil {
		t.Fatal(err)
	}
	if seen := len(observation.lives); seen < 3*replicas {
		t.Fatalf("the rollouts went through %d pods, want %d", seen, 3*replicas)
	}
	leaving, missing, err := observation.judge(clientTolerance)
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d samples of %d pods; a terminating pod was listed for at most %s, a ready one missing for at most %s",
		len(observation.samples), len(observation.lives), leaving, missing)
}

// onlyVersion returns an error unless the listed pods of namespace are count
// ones of version.
func (p *program) onlyVersion(t *testing.T, namespace string, count int, version string) error {
	answer, err := p.list(t.Context(), "apps")
	if err != nil {
		return err
	}
	got, want := []string{}, []string{}
	for _, instance := range answer.in(namespace) {
		got = append(got, instance.Metadata["version"])
	}
	for range count {
		want = append(want, version)
	}
	return sameNames(got, want)
}

// createDeployment creates a Deployment on fake nodes that replaces its pods
// two at a time and never has less than all of them ready.
func createDeployment(t *testing.T, namespace, service string, replicas int32) {
	t.Helper()
	template := newPod(service, service)
	template.Spec.NodeName = ""
	none, two := intstr.FromInt32(0), intstr.FromInt32(2)
	_, err := client.AppsV1().Deployments(namespace).Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: service},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"eurekube.io/service": service}},
			Strategy: appsv1.DeploymentStrategy{
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxUnavailable: &none, MaxSurge: &two},
			},
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

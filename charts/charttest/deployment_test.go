package charttest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func deployment(t *testing.T, values string) appsv1.Deployment {
	t.Helper()
	return only[appsv1.Deployment](t, render(t, values), "Deployment")
}

// container returns the pod's one container.
func container(t *testing.T, values string) corev1.Container {
	t.Helper()
	containers := deployment(t, values).Spec.Template.Spec.Containers
	if len(containers) != 1 {
		t.Fatalf("the pod has %d containers, want 1", len(containers))
	}
	return containers[0]
}

func TestRolloutNeverLosesAServer(t *testing.T) {
	spec := deployment(t, "").Spec
	want := appsv1.DeploymentStrategy{
		Type: appsv1.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDeployment{
			MaxUnavailable: new(intstr.FromInt32(0)),
			MaxSurge:       new(intstr.FromInt32(1)),
		},
	}
	if diff := cmp.Diff(want, spec.Strategy); diff != "" {
		t.Errorf("strategy (-want +got):\n%s", diff)
	}
}

func TestImage(t *testing.T) {
	tests := []struct{ name, values, want string }{
		{name: "of the program's version", values: "", want: "eurekube/eurekube:v0.1.0"},
		{name: "tag", values: "image: {tag: v9}", want: "eurekube/eurekube:v9"},
		{name: "own registry", values: "image: {repository: 'registry.example/team/eurekube'}", want: "registry.example/team/eurekube:v0.1.0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := container(t, tt.values).Image; got != tt.want {
				t.Errorf("image = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestGracePeriodIsLongerThanTheDrain(t *testing.T) {
	tests := []struct{ name, values, drain string }{
		{name: "default", values: "", drain: "5s"},
		{name: "none", values: "drain: 0s", drain: "0s"},
		{name: "long", values: "drain: 120s", drain: "120s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			drain, err := time.ParseDuration(tt.drain)
			if err != nil {
				t.Fatal(err)
			}
			pod := deployment(t, tt.values).Spec.Template.Spec
			if got, want := *pod.TerminationGracePeriodSeconds, int64(drain.Seconds())+15; got != want {
				t.Errorf("terminationGracePeriodSeconds = %d, want %d", got, want)
			}
			wantArg(t, pod.Containers[0].Args, "--drain="+tt.drain)
		})
	}
}

func TestProbesAskTheAdminPort(t *testing.T) {
	c := container(t, "tls: {secretName: cert}")
	probes := map[string]*corev1.Probe{"/healthz": c.LivenessProbe, "/readyz": c.ReadinessProbe}
	for path, probe := range probes {
		want := &corev1.HTTPGetAction{Path: path, Port: intstr.FromString("admin")}
		if diff := cmp.Diff(want, probe.HTTPGet); diff != "" {
			t.Errorf("probe (-want +got):\n%s", diff)
		}
	}
	if c.StartupProbe != nil {
		t.Error("there is a startup probe; liveness holds from the start, also without an API server")
	}
}

func TestPodsAreSpread(t *testing.T) {
	spec := deployment(t, "").Spec
	var keys []string
	for _, constraint := range spec.Template.Spec.TopologySpreadConstraints {
		keys = append(keys, constraint.TopologyKey)
		if constraint.WhenUnsatisfiable != corev1.ScheduleAnyway {
			t.Errorf("%s = %s; a cluster of one node must be able to run both", constraint.TopologyKey, constraint.WhenUnsatisfiable)
		}
		if diff := cmp.Diff(spec.Selector, constraint.LabelSelector); diff != "" {
			t.Errorf("%s counts other pods than the Deployment's (-want +got):\n%s", constraint.TopologyKey, diff)
		}
	}
	if diff := cmp.Diff([]string{"kubernetes.io/hostname", "topology.kubernetes.io/zone"}, keys); diff != "" {
		t.Errorf("topology keys (-want +got):\n%s", diff)
	}
}

func TestPlacementReachesThePod(t *testing.T) {
	pod := deployment(t, `
imagePullSecrets: [{name: pull}]
priorityClassName: important
nodeSelector: {disk: ssd}
tolerations: [{key: spot, operator: Exists}]
affinity: {nodeAffinity: {}}
podAnnotations: {team: registry}
podLabels: {team: registry}
`).Spec.Template
	want := corev1.PodSpec{
		ImagePullSecrets:  []corev1.LocalObjectReference{{Name: "pull"}},
		PriorityClassName: "important",
		NodeSelector:      map[string]string{"disk": "ssd"},
		Tolerations:       []corev1.Toleration{{Key: "spot", Operator: corev1.TolerationOpExists}},
		Affinity:          &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}},
	}
	got := corev1.PodSpec{
		ImagePullSecrets:  pod.Spec.ImagePullSecrets,
		PriorityClassName: pod.Spec.PriorityClassName,
		NodeSelector:      pod.Spec.NodeSelector,
		Tolerations:       pod.Spec.Tolerations,
		Affinity:          pod.Spec.Affinity,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pod (-want +got):\n%s", diff)
	}
	if pod.Annotations["team"] != "registry" || pod.Labels["team"] != "registry" {
		t.Errorf("annotations %v and labels %v, want team=registry in both", pod.Annotations, pod.Labels)
	}
}

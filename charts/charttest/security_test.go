package charttest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// The values are those of the Pod Security Standard "restricted", with a
// read-only file system on top.
func TestPodsAreRestricted(t *testing.T) {
	all := render(t, "")
	tests := []struct {
		name string
		pod  corev1.PodSpec
		// user is what the image itself does not say.
		user *int64
	}{
		{name: "server", pod: deployment(t, "").Spec.Template.Spec},
		{name: "helm test", pod: only[corev1.Pod](t, all, "Pod").Spec, user: new(int64(65534))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wantPod := &corev1.PodSecurityContext{
				RunAsNonRoot:   new(true),
				RunAsUser:      tt.user,
				SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			}
			if diff := cmp.Diff(wantPod, tt.pod.SecurityContext); diff != "" {
				t.Errorf("security context of the pod (-want +got):\n%s", diff)
			}
			wantContainer := &corev1.SecurityContext{
				AllowPrivilegeEscalation: new(false),
				ReadOnlyRootFilesystem:   new(true),
				Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
			}
			for _, c := range tt.pod.Containers {
				if diff := cmp.Diff(wantContainer, c.SecurityContext); diff != "" {
					t.Errorf("security context of %s (-want +got):\n%s", c.Name, diff)
				}
			}
		})
	}
}

func TestOnlyTheServerGetsAToken(t *testing.T) {
	all := render(t, "")
	if got := deployment(t, "").Spec.Template.Spec.AutomountServiceAccountToken; got == nil || !*got {
		t.Errorf("automountServiceAccountToken of the server = %v, want true", got)
	}
	if got := only[corev1.Pod](t, all, "Pod").Spec.AutomountServiceAccountToken; got == nil || *got {
		t.Errorf("automountServiceAccountToken of the test pod = %v, want false", got)
	}
}

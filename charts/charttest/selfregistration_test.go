package charttest

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// Servers do not share leases, so there is one as long as there may be any.
func TestServersByDefault(t *testing.T) {
	tests := []struct {
		values string
		want   int32
	}{
		{values: "", want: 1},
		{values: "selfRegistration: pods-only", want: 1},
		{values: "selfRegistration: 'off'", want: 2},
		{values: "selfRegistration: off", want: 2},
		{values: "{selfRegistration: off, replicas: 1}", want: 1},
		{values: "replicas: 3", want: 3},
	}
	for _, tt := range tests {
		t.Run(tt.values, func(t *testing.T) {
			if got := deployment(t, tt.values).Spec.Replicas; got == nil || *got != tt.want {
				t.Errorf("replicas = %v, want %d", got, tt.want)
			}
		})
	}
}

func TestTestPodWantsARefusalWhereReadsAreClosed(t *testing.T) {
	tests := []struct{ values, wants string }{
		{values: "", wants: `grep '"apps__hashcode"'`},
		{values: "auth: {secretName: who}", wants: `grep '"apps__hashcode"'`},
		{values: "auth: {secretName: who, reads: true}", wants: "grep ' 401 '"},
	}
	for _, tt := range tests {
		t.Run(tt.values, func(t *testing.T) {
			command := only[corev1.Pod](t, render(t, tt.values), "Pod").Spec.Containers[0].Command
			if got := strings.Join(command, " "); !strings.Contains(got, tt.wants) {
				t.Errorf("command %q lacks %q", got, tt.wants)
			}
		})
	}
}

package registry

import (
	stdcmp "cmp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

func TestAdoptOverride(t *testing.T) {
	tests := []struct {
		name          string
		here, was, is eureka.Status
		want          map[string]eureka.Status
	}{
		{"set", "", "", override, map[string]eureka.Status{podKey: override}},
		{"changed", override, override, eureka.StatusDown, map[string]eureka.Status{podKey: eureka.StatusDown}},
		{"taken away", override, override, "", map[string]eureka.Status{}},
		{"changed here meanwhile", eureka.StatusDown, "", override, map[string]eureka.Status{podKey: eureka.StatusDown}},
		{"taken away here meanwhile", "", override, eureka.StatusDown, map[string]eureka.Status{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(newClock().now)
			r.Replace(OwnerPod, podKey, aPod())
			if tt.here != "" {
				r.AdoptOverride(podKey, "", tt.here)
			}
			r.AdoptOverride(podKey, tt.was, tt.is)
			if diff := cmp.Diff(tt.want, r.PodOverrides()); diff != "" {
				t.Errorf("overrides (-want +got):\n%s", diff)
			}
			want := stdcmp.Or(tt.want[podKey], eureka.StatusUp)
			if got := r.Pod(podKey).Status; got != want {
				t.Errorf("listed as %s, want %s", got, want)
			}
			select {
			case <-r.OverridesChanged():
				t.Error("OverridesChanged yielded")
			default:
			}
		})
	}
}

func TestForgetAbsentOverrides(t *testing.T) {
	r := New(newClock().now)
	r.AdoptOverride(podKey, "", override)
	r.AdoptOverride("shop/gone/uid-0", "", override)
	r.Replace(OwnerPod, podKey, aPod())
	r.ForgetAbsentOverrides()
	if diff := cmp.Diff(map[string]eureka.Status{podKey: override}, r.PodOverrides()); diff != "" {
		t.Errorf("overrides (-want +got):\n%s", diff)
	}
	select {
	case <-r.OverridesChanged():
	default:
		t.Error("OverridesChanged did not yield")
	}
}

package registry

import (
	"testing"
	"time"
)

// TestAppsAreForgotten looks into the registry: names that come and go, as those
// of review apps do, must not pile up.
func TestAppsAreForgotten(t *testing.T) {
	c := newClock()
	forget := func(r *Registry) {
		c.at = c.at.Add(DeltaWindow + time.Millisecond)
		r.Forget()
	}
	gone := func(r *Registry) { r.Replace(OwnerPod, podKey) }
	listed := func(r *Registry) { r.Replace(OwnerPod, podKey, aPod()) }
	unlisted := func(r *Registry) { r.Replace(OwnerPod, podKey, aPod(hidden)) }
	moved := func(r *Registry) {
		claim := aPod(hidden)
		claim.Instance.App = "INVOICES"
		r.Replace(OwnerPod, podKey, claim)
	}
	leased := func(r *Registry) { r.Replace(OwnerLease, leaseKey, itsLease()) }
	tests := []struct {
		name  string
		steps []func(*Registry)
		want  int
	}{
		{"an app with a listed pod stays", []func(*Registry){listed, forget}, 1},
		{"an app with a hidden pod stays", []func(*Registry){unlisted, forget}, 1},
		{"an app stays while its end is in the delta", []func(*Registry){listed, gone}, 1},
		{"it goes when that is forgotten", []func(*Registry){listed, gone, forget}, 0},
		{"an app whose pods were all hidden goes at once", []func(*Registry){unlisted, gone}, 0},
		{"so does one whose hidden pod takes another name", []func(*Registry){unlisted, moved}, 1},
		{"an app of hidden pods and their leases", []func(*Registry){unlisted, leased, gone}, 0},
		{"the pod is hidden, the change forgotten, then the pod goes", []func(*Registry){listed, unlisted, forget, gone}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(c.now)
			for _, step := range tt.steps {
				step(r)
			}
			if len(r.apps) != tt.want {
				t.Errorf("the registry knows %d apps, want %d", len(r.apps), tt.want)
			}
			r.Drain() // of an app that is gone there is something to tell, and it must not be missed
			if len(r.dirty) != 0 {
				t.Errorf("%d apps are dirty after they were drained", len(r.dirty))
			}
		})
	}
}

package registry

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

// TestSharedInstancesAreNeverEdited drains after each step, as the publisher does,
// and looks at all that was drained before: snapshots share those instances, and
// requests read them without a lock.
func TestSharedInstancesAreNeverEdited(t *testing.T) {
	pod := func(key string, registered int64, s eureka.Status) func(*Registry) {
		return func(r *Registry) {
			c := aPod(status(s))
			c.Instance.Lease.RegistrationTimestamp, c.Instance.HostName = registered, key
			r.Replace(OwnerPod, key, c)
		}
	}
	gone := func(owner Owner, key string) func(*Registry) {
		return func(r *Registry) { r.Replace(owner, key) }
	}
	lease := func(change ...func(*Claim)) func(*Registry) {
		return func(r *Registry) { r.Replace(OwnerLease, leaseKey, itsLease(change...)) }
	}
	overridden := func(s eureka.Status) func(*Registry) {
		return func(r *Registry) { r.OverridePod(podKey, s) }
	}
	first := pod(podKey, 5, eureka.StatusUp)
	tests := []struct {
		name  string
		steps []func(*Registry)
	}{
		{"another pod comes and goes", []func(*Registry){first, pod("later", 9, eureka.StatusUp), gone(OwnerPod, "later")}},
		{"both go", []func(*Registry){first, pod("later", 9, eureka.StatusUp), gone(OwnerPod, "later"), gone(OwnerPod, podKey)}},
		{"a registration comes and goes", []func(*Registry){first, lease(), gone(OwnerLease, leaseKey)}},
		{"a registration is there first", []func(*Registry){lease(), first, gone(OwnerPod, podKey)}},
		{"a registration says something else", []func(*Registry){lease(), lease(status(eureka.StatusDown)), lease()}},
		{"an override comes and goes", []func(*Registry){first, overridden(override), overridden("")}},
		{"the application cancels and registers again", []func(*Registry){first, lease(),
			func(r *Registry) { r.CancelPod(podKey) }, gone(OwnerLease, leaseKey), func(r *Registry) { r.RevivePod(podKey) }}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(newClock().now)
			var shared []*eureka.Instance
			var asShared []eureka.Instance
			for i, step := range tt.steps {
				step(r)
				for j, inst := range shared {
					if diff := cmp.Diff(asShared[j], *inst); diff != "" {
						t.Errorf("step %d edited an instance that is shared (-was +is):\n%s", i, diff)
					}
				}
				for _, app := range r.Drain().Apps {
					for _, inst := range append(app.Instances, app.Recent...) {
						shared, asShared = append(shared, inst), append(asShared, *inst)
					}
				}
			}
			if len(shared) < len(tt.steps) {
				t.Errorf("%d instances were drained in %d steps: the test proved nothing", len(shared), len(tt.steps))
			}
		})
	}
}

// TestALeasesInstanceIsNotEdited looks at what its store goes on reading.
func TestALeasesInstanceIsNotEdited(t *testing.T) {
	r := New(newClock().now)
	claim := itsLease()
	said := *claim.Instance
	r.Replace(OwnerLease, leaseKey, claim)
	r.Drain()
	if diff := cmp.Diff(said, *claim.Instance); diff != "" {
		t.Errorf("the registry edited the instance of a lease (-was +is):\n%s", diff)
	}
}

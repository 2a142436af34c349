package registry

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

// TestWhichOfTwoPodsIsListed has two pods claim one id, in both orders. The host
// name tells which of them is listed.
func TestWhichOfTwoPodsIsListed(t *testing.T) {
	pod := func(host string, registered int64, change ...func(*Claim)) Claim {
		c := Listed(up("CART", "10.0.0.5:cart:80", registered))
		c.Instance.HostName = host
		for _, f := range change {
			f(&c)
		}
		return c
	}
	const earlier, later = 5, 9
	down, starting := status(eureka.StatusDown), status(eureka.StatusStarting)
	tests := []struct {
		name string
		a, b Claim // of the keys a and b
		want string
	}{
		{"the later one", pod("a", later), pod("b", earlier), "a"},
		{"a visible one before a later hidden one", pod("a", earlier), pod("b", later, hidden), "a"},
		{"a visible one that is down before a hidden one that is up", pod("a", earlier, down), pod("b", later, hidden), "a"},
		{"one that is up before a later one that never became ready", pod("a", earlier), pod("b", later, starting), "a"},
		{"one that is up before a later one that is down", pod("a", earlier), pod("b", later, down), "a"},
		{"the later one of two that are not up", pod("a", later, down), pod("b", earlier, starting), "a"},
		{"the greater key of two of one time", pod("a", later), pod("b", later), "b"},
	}
	for _, tt := range tests {
		for order, keys := range map[string][]string{"a first": {"a", "b"}, "b first": {"b", "a"}} {
			t.Run(tt.name+", "+order, func(t *testing.T) {
				r, v := New(newClock().now), newView()
				for _, key := range keys {
					r.Replace(OwnerPod, key, map[string]Claim{"a": tt.a, "b": tt.b}[key])
				}
				v.drain(r)
				var got []string
				for _, inst := range v.listed["CART"] {
					got = append(got, inst.HostName)
				}
				if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
					t.Errorf("listed (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestAPodThatRecoversTakesItsPlace changes which of two pods is up.
func TestAPodThatRecoversTakesItsPlace(t *testing.T) {
	r := New(newClock().now)
	claim := func(registered int64, s eureka.Status) Claim {
		c := Listed(up("CART", "1", registered))
		c.Instance.Status = s
		return c
	}
	want := func(when, key string) {
		t.Helper()
		if rec, ok := r.Lookup("CART", "1"); !ok || rec.PodKey != key {
			t.Errorf("%s: the record is pod %q, want %q", when, rec.PodKey, key)
		}
	}
	r.Replace(OwnerPod, "earlier", claim(5, eureka.StatusUp))
	r.Replace(OwnerPod, "later", claim(9, eureka.StatusStarting))
	want("the later one starts", "earlier")
	r.Replace(OwnerPod, "later", claim(9, eureka.StatusUp))
	want("both are up", "later")
	r.Replace(OwnerPod, "later", claim(9, eureka.StatusDown))
	want("the later one is down", "earlier")
}

// TestTheLaterRegistrationCountsWhateverItsStatus keeps the rule for pods away
// from leases: an application that registers anew as DOWN means it.
func TestTheLaterRegistrationCountsWhateverItsStatus(t *testing.T) {
	r := New(newClock().now)
	r.Replace(OwnerPod, podKey, aPod())
	r.Replace(OwnerLease, leaseKey, itsLease())
	later := itsLease(status(eureka.StatusDown))
	later.Instance.ID, later.Instance.Lease.RegistrationTimestamp = "another id", 99
	r.Replace(OwnerLease, LeaseKey("ORDERS", "another id"), later)
	if got := r.Pod(podKey).Status; got != eureka.StatusDown {
		t.Errorf("the pod is listed as %s, want DOWN as its later registration says", got)
	}
}

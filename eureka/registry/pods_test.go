package registry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

const (
	podKey   = "shop/orders-7d9-abc/uid-1"
	podID    = "10.0.0.5:orders:8080"
	leaseID  = "orders-7d9-abc:orders:8080"
	override = eureka.StatusOutOfService
)

func TestFieldCase86_APodThatRegistersItselfIsOneRecord(t *testing.T) {
	pod := func(c ...func(*Claim)) func(*Registry) {
		return func(r *Registry) { r.Replace(OwnerPod, podKey, aPod(c...)) }
	}
	lease := func(c ...func(*Claim)) func(*Registry) {
		return func(r *Registry) { r.Replace(OwnerLease, leaseKey, itsLease(c...)) }
	}
	podGone := func(r *Registry) { r.Replace(OwnerPod, podKey) }
	leaseGone := func(r *Registry) { r.Replace(OwnerLease, leaseKey) }
	tests := []struct {
		name  string
		steps []func(*Registry)
		want  []string // id status
	}{
		{"pod first", []func(*Registry){pod(), lease()}, []string{podID + " UP"}},
		{"registration first", []func(*Registry){lease(), pod()}, []string{podID + " UP"}},
		{"registration before the pod is ready", []func(*Registry){pod(hidden), lease()}, nil},
		{"and after that it becomes ready", []func(*Registry){pod(hidden), lease(), pod()}, []string{podID + " UP"}},
		{"by the pod's name as host", []func(*Registry){pod(), lease(at("orders-7d9-abc", 8080))}, []string{podID + " UP"}},
		{"another port is another process", []func(*Registry){pod(), lease(at("10.0.0.5", 9090))}, []string{podID + " UP", leaseID + " UP"}},
		{"another host is another process", []func(*Registry){pod(), lease(at("10.0.0.6", 8080))}, []string{podID + " UP", leaseID + " UP"}},
		{"the worse status wins: the application's", []func(*Registry){pod(), lease(status(eureka.StatusDown))}, []string{podID + " DOWN"}},
		{"the worse status wins: the pod's", []func(*Registry){pod(status(eureka.StatusDown)), lease(status(eureka.StatusStarting))}, []string{podID + " DOWN"}},
		{"the pod's end ends all", []func(*Registry){pod(), lease(), podGone}, nil},
		{"the lease's end leaves the pod", []func(*Registry){pod(), lease(), leaseGone}, []string{podID + " UP"}},
		{"a terminating pod hides its registration", []func(*Registry){pod(), lease(), pod(hidden), lease()}, nil},
		{"a pod that moves away leaves what registered", []func(*Registry){pod(), lease(), pod(at("10.0.0.5", 8081))}, []string{podID + " UP", leaseID + " UP"}},
		{"a cancel holds", []func(*Registry){pod(), func(r *Registry) { r.CancelPod(podKey) }, pod()}, nil},
		{"until the application registers", []func(*Registry){pod(), func(r *Registry) { r.CancelPod(podKey) }, lease(), func(r *Registry) { r.RevivePod(podKey) }}, []string{podID + " UP"}},
		{"or the pod is replaced", []func(*Registry){pod(), func(r *Registry) { r.CancelPod(podKey) }, podGone, pod()}, []string{podID + " UP"}},
		{"an override wins over readiness", []func(*Registry){pod(), lease(), func(r *Registry) { r.OverridePod(podKey, override) }, pod(), lease()}, []string{podID + " OUT_OF_SERVICE"}},
		{"but not over what is down", []func(*Registry){pod(status(eureka.StatusDown)), func(r *Registry) { r.OverridePod(podKey, override) }}, []string{podID + " DOWN"}},
		{"it ends when it is taken away", []func(*Registry){pod(), func(r *Registry) { r.OverridePod(podKey, override) }, func(r *Registry) { r.OverridePod(podKey, "") }}, []string{podID + " UP"}},
		{"it ends with the pod", []func(*Registry){pod(), func(r *Registry) { r.OverridePod(podKey, override) }, podGone, pod()}, []string{podID + " UP"}},
		{"it outlives a pod that has nothing to list", []func(*Registry){pod(), func(r *Registry) { r.OverridePod(podKey, override) }, func(r *Registry) { r.Replace(OwnerPod, podKey, Claim{Hidden: true}) }, pod()}, []string{podID + " OUT_OF_SERVICE"}},
		{"one that was kept is there before the pod", []func(*Registry){func(r *Registry) { r.AdoptOverride(podKey, "", override) }, pod()}, []string{podID + " OUT_OF_SERVICE"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(newClock().now)
			for _, step := range tt.steps {
				step(r)
			}
			v := newView()
			v.drain(r)
			var got []string
			for _, inst := range v.listed["ORDERS"] {
				got = append(got, inst.ID+" "+string(inst.Status))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("listed (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMergedMetadata(t *testing.T) {
	r := New(newClock().now)
	r.Replace(OwnerLease, leaseKey, itsLease())
	r.Replace(OwnerPod, podKey, aPod())
	rec, ok := r.Lookup("ORDERS", leaseID)
	if !ok || rec.ID != podID || rec.PodKey != podKey {
		t.Fatalf("Lookup by the application's own id = %+v, %v; want the pod's record", rec, ok)
	}
	want := map[string]string{"version": "1.0", "pod": "orders-7d9-abc", "k": "v"}
	if diff := cmp.Diff(want, rec.Listed.Metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	r.Replace(OwnerLease, leaseKey)
	rec, _ = r.Lookup("ORDERS", podID)
	if _, ok := rec.Listed.Metadata["k"]; ok {
		t.Error("the lease's metadata stayed without the lease")
	}
}

func TestTheEndOfAPodEndsItsLeases(t *testing.T) {
	r := New(newClock().now)
	var ended []string
	r.OnLeaseEnd(func(key, pod string) {
		ended = append(ended, key+" of "+pod)
		r.Replace(OwnerLease, key) // as the store does, which must not deadlock
	})
	r.Replace(OwnerPod, podKey, aPod())
	r.Replace(OwnerLease, leaseKey, itsLease())
	r.Replace(OwnerPod, podKey)
	if diff := cmp.Diff([]string{leaseKey + " of " + podKey}, ended); diff != "" {
		t.Errorf("ended leases (-want +got):\n%s", diff)
	}
	for _, id := range []string{podID, leaseID} {
		if rec, ok := r.Lookup("ORDERS", id); ok {
			t.Errorf("Lookup(%q) = %+v after the pod's end, want none", id, rec)
		}
	}
}

func TestNameOwnershipFacts(t *testing.T) {
	r := New(newClock().now)
	if r.HasPods("ORDERS") {
		t.Error("an empty registry has pods")
	}
	r.Replace(OwnerPod, podKey, aPod(hidden))
	if !r.HasPods("ORDERS") {
		t.Error("a hidden pod does not own its app's name")
	}
	r.Replace(OwnerPod, podKey)
	if r.HasPods("ORDERS") {
		t.Error("the app has pods after its only one ended")
	}
}

func TestPod(t *testing.T) {
	clock := newClock()
	r := New(clock.now)
	want := func(when string, want Pod) {
		t.Helper()
		if diff := cmp.Diff(want, r.Pod(podKey)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	want("nobody speaks of it", Pod{})
	r.Replace(OwnerPod, podKey, Claim{Hidden: true})
	want("nothing to tell", Pod{})
	r.Replace(OwnerPod, podKey, aPod())
	want("listed", Pod{Status: eureka.StatusUp})
	r.Replace(OwnerPod, "shop/later/uid-2", aPod(func(c *Claim) { c.Instance.Lease.RegistrationTimestamp++ }))
	want("another pod has its address", Pod{})
	r.Replace(OwnerPod, "shop/later/uid-2")
	r.Replace(OwnerLease, leaseKey, itsLease(status(eureka.StatusDown)))
	want("its application says that it is down", Pod{Status: eureka.StatusDown})
	r.Replace(OwnerLease, leaseKey)
	r.OverridePod(podKey, override)
	want("overridden", Pod{Status: override, Override: override})
	r.CancelPod(podKey)
	cancelled := r.Pod(podKey).TurnedAt
	if cancelled.IsZero() {
		t.Error("a pod that was cancelled does not say since when")
	}
	r.CancelPod(podKey)
	want("cancelled again", Pod{Override: override, Cancelled: true, TurnedAt: cancelled})
	clock.at = clock.at.Add(time.Second)
	r.RevivePod(podKey)
	revived := r.Pod(podKey).TurnedAt
	if !revived.After(cancelled) {
		t.Errorf("a pod that was revived is so since %v, and was cancelled at %v", revived, cancelled)
	}
	r.RevivePod(podKey)
	want("revived", Pod{Status: override, Override: override, TurnedAt: revived})
	r.Replace(OwnerPod, podKey)
	want("gone", Pod{})
}

// TestAnyOrderLeavesTheSame says the same things in random orders and compares
// what is listed: no owner's turn may matter.
func TestAnyOrderLeavesTheSame(t *testing.T) {
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		var steps []func(*Registry)
		for n := range 4 {
			key, ip, visible := fmt.Sprint("pod-", n), fmt.Sprint("10.0.0.", rnd.IntN(3)), rnd.IntN(3) > 0
			steps = append(steps, func(r *Registry) {
				inst := up("A", ip+":a:80", int64(n))
				r.Replace(OwnerPod, key, Claim{Instance: inst, Hidden: !visible, Endpoints: []Endpoint{{ip, 80}}})
			})
		}
		for n := range 4 {
			id, ip := fmt.Sprint("lease-", n), fmt.Sprint("10.0.0.", rnd.IntN(4))
			s := eureka.Statuses[rnd.IntN(len(eureka.Statuses))]
			steps = append(steps, func(r *Registry) {
				inst := up("A", id, int64(n))
				inst.Status = s
				inst.Metadata = map[string]string{id: "here"}
				r.Replace(OwnerLease, LeaseKey("A", id), Listed(inst, Endpoint{ip, 80}))
			})
		}
		var first []*eureka.Instance
		for range 5 {
			rnd.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
			r := New(newClock().now)
			for _, step := range steps {
				step(r)
			}
			v := newView()
			v.drain(r)
			if got, want := v.census.HashCode(), hashOf(v.listed); got != want {
				t.Fatalf("seed %d: hash = %q, want %q", seed, got, want)
			}
			got := v.listed["A"]
			if first == nil {
				first = got
				continue
			}
			same := slices.EqualFunc(first, got, func(a, b *eureka.Instance) bool { return a.SameDescription(b) })
			if !same {
				t.Fatalf("seed %d: another order lists otherwise (-first +now):\n%s", seed, cmp.Diff(first, got))
			}
		}
	}
}

func TestLeaseKeysAreReadBack(t *testing.T) {
	for _, names := range [][2]string{{"ORDERS", "host:orders:80"}, {"", ""}, {"A:B", "1:C"}, {"A\x00", "\x00B"}, {"12", "3"}} {
		app, id := SplitLeaseKey(LeaseKey(names[0], names[1]))
		if app != names[0] || id != names[1] {
			t.Errorf("SplitLeaseKey(LeaseKey(%q)) = %q, %q", names, app, id)
		}
	}
	if app, id := SplitLeaseKey("99:SHORT"); app != "" || id != "" {
		t.Errorf("SplitLeaseKey of no key = %q, %q", app, id)
	}
}

func TestARegistrationIsNewsAlsoWhenItSaysTheSame(t *testing.T) {
	tests := []struct {
		name  string
		claim func(registered int64) Claim
		owner Owner
		want  bool
	}{
		{"what only registered itself", func(at int64) Claim { return Listed(up("WEB", "w1", at)) }, OwnerLease, true},
		{"a pod whose clocks moved", func(at int64) Claim { return Listed(up("WEB", "w1", at)) }, OwnerPod, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(newClock().now)
			r.Replace(tt.owner, "key", tt.claim(5))
			if _, changed := r.Replace(tt.owner, "key", tt.claim(9)); changed != tt.want {
				t.Errorf("a second registration changed = %v, want %v", changed, tt.want)
			}
		})
	}
}

package lease

import (
	"errors"
	"net/netip"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// The pod of these tests, the id that it is listed by and the one that its
// application registers with.
const (
	podName = "orders-7d9-abc"
	podIP   = "10.0.0.5"
	podID   = podIP + ":orders:8080"
	ownID   = podName + ":orders:8080"
)

// own is what the application of the pod registers.
func own(options ...option) *eureka.Instance {
	return registration("ORDERS", ownID, append([]option{at(podName, podIP, 8080), metadata("k", "v"), lasting(3, 10)}, options...)...)
}

// wantPod checks what is listed of app ORDERS, which is the pod or nothing.
func (r *rig) wantPod(want eureka.Status, when string) {
	r.t.Helper()
	if got := r.status("ORDERS", podID); got != want {
		r.t.Errorf("%s the pod is %q, want %q", when, got, want)
	}
	if r.instance("ORDERS", ownID) != nil {
		r.t.Errorf("%s the pod is also listed by its application's id", when)
	}
}

func TestPodThatRegistersHasNoLeaseOfItsOwn(t *testing.T) {
	tests := map[string]func(*rig){
		"pod first":          func(r *rig) { r.pod("ORDERS", podName, podIP, false); r.register(own()) },
		"registration first": func(r *rig) { r.register(own()); r.pod("ORDERS", podName, podIP, false) },
		"pod not ready": func(r *rig) {
			r.pod("ORDERS", podName, podIP, true)
			r.register(own())
			r.pod("ORDERS", podName, podIP, false)
		},
		"Java's spelling of its address": func(r *rig) {
			r.pod("ORDERS", podName, podIP, false)
			r.register(own(at("other", "[::ffff:10.0.0.5%eth0]", 8080)))
		},
	}
	for name, arrive := range tests {
		t.Run(name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				arrive(r)
				r.wantPod(eureka.StatusUp, "after both came")
				r.wait(60)
				r.wantPod(eureka.StatusUp, "long after the duration")
				if _, ok := r.Lease("ORDERS", ownID); ok {
					t.Error("the pod has a lease")
				}
				if diff := cmp.Diff(Stats{}, r.Stats()); diff != "" {
					t.Errorf("the pod counts (-want +got):\n%s", diff)
				}
				for _, id := range []string{podID, ownID} {
					r.well(r.Renew("ORDERS", id, Renewal{LastDirty: 9999, HasLastDirty: true}))
				}
				r.endPod(podName)
				r.wantPod("", "after the pod ended")
				r.wantErr(ErrNotFound, r.Renew("ORDERS", ownID, Renewal{}))
				r.wantPod("", "after a late heartbeat")
			})
		})
	}
}

func TestFieldCase87_SelfCancelHoldsUntilTheNextRegistration(t *testing.T) {
	for _, id := range []string{podID, ownID} {
		run(t, Config{}, func(r *rig) {
			r.pod("ORDERS", podName, podIP, false)
			r.register(own())
			r.well(r.Cancel("ORDERS", id, false))
			r.wantPod("", "after "+id+" cancelled itself")
			r.well(r.Cancel("ORDERS", id, false))
			r.well(r.Renew("ORDERS", ownID, Renewal{}))
			r.wantPod("", "after a late heartbeat")
			r.pod("ORDERS", podName, podIP, false)
			r.wantPod("", "after the pod was seen again")
			r.register(own())
			r.wantPod(eureka.StatusUp, "after it registered again")
		})
	}
}

func TestFieldCase91_OverrideOfAPod(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.pod("ORDERS", podName, podIP, false)
		r.register(own())
		r.well(r.Override("ORDERS", ownID, eureka.StatusOutOfService, Dirty{}, false))
		r.wantPod(eureka.StatusOutOfService, "under an override")
		r.register(own(dirty(2000)))
		r.pod("ORDERS", podName, podIP, false)
		r.wantPod(eureka.StatusOutOfService, "after a registration and an update of the pod")
		r.well(r.RemoveOverride("ORDERS", podID, "", Dirty{}, false))
		r.wantPod(eureka.StatusUp, "after the removal, at once,") // field case 90
		r.well(r.Override("ORDERS", podID, eureka.StatusUp, Dirty{}, false))
		if got := r.registry.PodOverrides(); len(got) > 0 {
			t.Errorf("an override as it is stored %v", got)
		}
	})
}

// TestOverrideOfALeaseThatBecomesAPodsCountsOnce: overrides of pods are the
// registry's.
func TestOverrideOfALeaseThatBecomesAPodsCountsOnce(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(own())
		r.well(r.Override("ORDERS", ownID, eureka.StatusOutOfService, Dirty{}, false))
		r.wait(1)
		if got := r.Stats().Overrides; got != 1 {
			t.Errorf("%d overrides before the pod came, want 1", got)
		}
		r.pod("ORDERS", podName, podIP, false)
		r.wait(2)
		if got := r.Stats().Overrides; got != 0 {
			t.Errorf("%d overrides of leases after the pod came, want none", got)
		}
	})
}

func TestMetadataOfAPod(t *testing.T) {
	tests := map[string]struct {
		registered bool
		by         string
		want       map[string]string
	}{
		"by its own id":                          {registered: true, by: ownID, want: map[string]string{"k": "v", "team": "red", "version": "1.0"}},
		"by the pod's id":                        {registered: true, by: podID, want: map[string]string{"k": "v", "team": "red", "version": "1.0"}},
		"of an application that never registers": {by: podID, want: map[string]string{"team": "red", "version": "1.0"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.pod("ORDERS", podName, podIP, false)
				if tt.registered {
					r.register(own())
				}
				r.wait(2)
				given := map[string]string{"team": "blue"}
				r.well(r.UpdateMetadata("ORDERS", tt.by, given))
				given["added"] = "by the caller afterwards"
				r.well(r.UpdateMetadata("ORDERS", tt.by, map[string]string{"team": "red", "version": "lost, since the pod's own keys win"}))
				r.wait(200)
				if diff := cmp.Diff(tt.want, r.instance("ORDERS", podID).Metadata); diff != "" {
					t.Errorf("metadata (-want +got):\n%s", diff)
				}
				r.endPod(podName)
				r.pod("ORDERS", podName, podIP, false)
				if diff := cmp.Diff(map[string]string{"version": "1.0"}, r.instance("ORDERS", podID).Metadata); diff != "" {
					t.Errorf("metadata of the next pod (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestMetadataUpdateIsNoRegistration: it must not undo a self-cancel.
func TestMetadataUpdateIsNoRegistration(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.pod("ORDERS", podName, podIP, false)
		r.register(own())
		r.well(r.Cancel("ORDERS", ownID, false))
		r.well(r.UpdateMetadata("ORDERS", ownID, map[string]string{"k": "w"}))
		r.wantPod("", "after a metadata update")
	})
}

// TestLeaseThatPartsFromItsPodBeginsAnew: its heartbeats did not count before.
func TestLeaseThatPartsFromItsPodBeginsAnew(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(own())
		r.pod("ORDERS", podName, podIP, false)
		r.wait(60)
		// A corrected label moves the pod to another port.
		r.registry.Replace(registry.OwnerPod, "shop/"+podName+"/uid", registry.Claim{
			Instance:  registration("ORDERS", podID, at(podIP, podIP, 9090)),
			Endpoints: []registry.Endpoint{{Host: podIP, Port: 9090}},
		})
		r.wait(1)
		r.well(r.Renew("ORDERS", ownID, Renewal{}))
		r.wait(9)
		if got := r.status("ORDERS", ownID); got != eureka.StatusUp {
			t.Errorf("the lease that parted is %q while it is renewed, want UP", got)
		}
		r.wait(2)
		if got := r.status("ORDERS", ownID); got != "" {
			t.Errorf("the lease that parted is %q after its duration", got)
		}
	})
}

func TestNameOwnership(t *testing.T) {
	const foreign = "10.6.6.6"
	tests := []struct {
		name    string
		config  Config
		pods    bool
		inst    *eureka.Instance
		remote  string
		replica bool
		refused bool
	}{
		{name: "anybody, when names are free", pods: true, inst: registration("ORDERS", "x")},
		{name: "a name without pods", config: Config{ClaimNames: true}, inst: registration("ORDERS", "x"), remote: foreign},
		{name: "a pod", config: Config{ClaimNames: true}, pods: true, inst: own(), remote: podIP},
		{name: "a pod, as IPv4 in IPv6", config: Config{ClaimNames: true}, pods: true, inst: own(), remote: "::ffff:" + podIP},
		{name: "a pod on another port", config: Config{ClaimNames: true}, pods: true, inst: own(at(podName, podIP, 9090)), remote: podIP},
		{name: "a pod from nobody knows where", config: Config{ClaimNames: true}, pods: true, inst: own()},
		{name: "a pod, told by a peer", config: Config{ClaimNames: true}, pods: true, inst: own(), remote: foreign, replica: true},
		{name: "an outsider", config: Config{ClaimNames: true}, pods: true, inst: registration("ORDERS", "x"), remote: foreign, refused: true},
		{name: "an outsider with a name in lower case", config: Config{ClaimNames: true}, pods: true, inst: registration("orders", "x"), remote: foreign, refused: true},
		{name: "an outsider who poses as a pod", config: Config{ClaimNames: true}, pods: true, inst: own(), remote: foreign, refused: true},
		{name: "an outsider who poses as a peer", config: Config{ClaimNames: true}, pods: true, inst: registration("ORDERS", "x"), remote: foreign, replica: true, refused: true},
		{name: "a pod that advertises an outsider's address", config: Config{ClaimNames: true}, pods: true, inst: own(at(podName, foreign, 8080)), remote: podIP, refused: true},
		{name: "a pod that advertises an outsider's name", config: Config{ClaimNames: true}, pods: true, inst: own(at("evil", podIP, 8080)), remote: podIP, refused: true},
		{name: "a stranger with a VIP name of pods", config: Config{ClaimNames: true}, pods: true, inst: registration("EVIL", "x", vip("evil,Orders")), refused: true},
		{name: "a pod of another app with a VIP name of pods", config: Config{ClaimNames: true}, pods: true, inst: registration("EVIL", "x", vip("orders"), at(podName, podIP, 9090)), remote: podIP},
		{name: "which somebody else says", config: Config{ClaimNames: true}, pods: true, inst: registration("EVIL", "x", vip("orders"), at(podName, podIP, 9090)), remote: foreign, refused: true},
		{name: "a stranger with the id of a pod", config: Config{ClaimNames: true}, pods: true, inst: registration("EVIL", podID), refused: true},
		{name: "a pod of a StatefulSet", config: Config{ClaimNames: true}, pods: true, inst: own(at(podName+".orders.shop.svc.cluster.local", podIP, 8080)), remote: podIP},
		{name: "its name with another address", config: Config{ClaimNames: true}, pods: true, inst: own(at(podName+".orders.shop.svc.cluster.local", foreign, 8080)), remote: podIP, refused: true},
		{name: "a pod by a name that DNS makes of its address", config: Config{ClaimNames: true}, pods: true, inst: own(at("10-0-0-5.orders.shop.svc.cluster.local", podIP, 8080)), remote: podIP},
		{name: "pods only: a pod", config: Config{Mode: ModePodsOnly}, pods: true, inst: own(), remote: podIP},
		{name: "pods only: a pod of a StatefulSet", config: Config{Mode: ModePodsOnly}, pods: true, inst: own(at(podName+".orders.shop.svc.cluster.local", podIP, 8080)), remote: podIP},
		{name: "pods only: an outsider who poses as a pod", config: Config{Mode: ModePodsOnly}, pods: true, inst: own(), remote: foreign, refused: true},
		{name: "pods only: a pod, told by a peer", config: Config{Mode: ModePodsOnly}, pods: true, inst: own(), remote: foreign, replica: true},
		{name: "pods only: an outsider", config: Config{Mode: ModePodsOnly}, pods: true, inst: registration("ORDERS", "x"), refused: true},
		{name: "pods only: a name without pods", config: Config{Mode: ModePodsOnly}, inst: registration("ORDERS", "x"), refused: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run(t, tt.config, func(r *rig) {
				if tt.pods {
					r.pod("ORDERS", podName, podIP, false)
				}
				r.drain()
				before := r.version
				err := r.Register(t.Context(), tt.inst, address(t, tt.remote), tt.replica)
				forbidden, refused := errors.AsType[*ForbiddenError](err)
				if refused != tt.refused || err != nil && !refused {
					t.Fatalf("Register = %v, want refused: %v", err, tt.refused)
				}
				r.drain()
				if refused && (forbidden.Reason == "" || r.version != before) {
					t.Errorf("refused with the reason %q and version %d, want a reason and version %d", forbidden.Reason, r.version, before)
				}
			})
		})
	}
}

func address(t *testing.T, s string) netip.Addr {
	if s == "" {
		return netip.Addr{}
	}
	addr, err := netip.ParseAddr(s)
	if err != nil {
		t.Fatal(err)
	}
	return addr
}

// TestClaimedNameEndsLeasesThatCameBeforeThePods: it makes no difference who was
// first.
func TestClaimedNameEndsLeasesThatCameBeforeThePods(t *testing.T) {
	run(t, Config{ClaimNames: true}, func(r *rig) {
		r.register(registration("ORDERS", "outsider"))
		r.register(registration("CART", "outsider"))
		r.register(registration("CART", "with-their-vip", vip("cart,orders")))
		r.register(registration("CART", podID))
		r.register(own())
		r.register(registration("ORDERS", "second-port", at(podName, podIP, 9090)))
		r.wait(2)
		r.pod("ORDERS", podName, podIP, true)
		r.pod("ORDERS", podName, podIP, false)
		r.wait(2)
		var got []string
		r.drain()
		for name := range r.listed {
			got = append(got, name)
		}
		slices.Sort(got)
		if diff := cmp.Diff([]string{"CART/outsider", "ORDERS/" + podID, "ORDERS/second-port"}, got); diff != "" {
			t.Errorf("listed (-want +got):\n%s", diff)
		}
		r.wantErr(ErrNotFound, r.Renew("ORDERS", "outsider", Renewal{}))
		if got := len(r.lines("Evicted an instance because a name")); got != 3 {
			t.Errorf("%d lines tell of it, want one for each that ended", got)
		}
	})
}

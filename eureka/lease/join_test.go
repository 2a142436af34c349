package lease

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

const podKey = "shop/" + podName + "/uid"

// wantPodOverrides checks what is kept of pods' overrides.
func (r *rig) wantPodOverrides(want map[string]eureka.Status, when string) {
	r.t.Helper()
	if diff := cmp.Diff(want, r.registry.PodOverrides()); diff != "" {
		r.t.Errorf("overrides of pods %s (-want +got):\n%s", when, diff)
	}
}

// inEitherOrder calls test after the pod and its application came, with what an
// operator or the application did between.
func inEitherOrder(t *testing.T, between func(*rig), test func(*rig)) {
	t.Helper()
	pod := func(r *rig) { r.pod("ORDERS", podName, podIP, false) }
	tests := map[string]func(*rig){
		"pod first":                         func(r *rig) { pod(r); r.register(own()); between(r) },
		"registration first":                func(r *rig) { r.register(own()); between(r); pod(r) },
		"registration first, found by it":   func(r *rig) { r.register(own()); between(r); pod(r); r.register(own(dirty(2000))) },
		"registration first, found by time": func(r *rig) { r.register(own()); between(r); pod(r); r.wait(2) },
	}
	for name, arrive := range tests {
		t.Run(name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) { arrive(r); test(r) })
		})
	}
}

func TestFieldCase90_OverrideFromBeforeThePodWasSeenIsTakenBack(t *testing.T) {
	outOfService := func(r *rig) {
		r.well(r.Override("ORDERS", ownID, eureka.StatusOutOfService, Dirty{}, false))
	}
	for _, id := range []string{podID, ownID} {
		inEitherOrder(t, outOfService, func(r *rig) {
			r.wantPod(eureka.StatusOutOfService, "under an override")
			r.well(r.RemoveOverride("ORDERS", id, "", Dirty{}, false))
			r.wantPod(eureka.StatusUp, "after the removal by "+id)
			r.wait(2)
			r.register(own(dirty(3000)))
			r.wantPod(eureka.StatusUp, "after another registration")
			r.wantPodOverrides(map[string]eureka.Status{}, "after the removal")
		})
	}
}

func TestFieldCase91_OverrideFromBeforeThePodWasSeenIsThePods(t *testing.T) {
	outOfService := func(r *rig) {
		r.well(r.Override("ORDERS", ownID, eureka.StatusOutOfService, Dirty{}, false))
	}
	inEitherOrder(t, outOfService, func(r *rig) {
		r.wait(2)
		r.wantPod(eureka.StatusOutOfService, "under an override")
		r.wantPodOverrides(map[string]eureka.Status{podKey: eureka.StatusOutOfService}, "under an override")
		r.well(r.Override("ORDERS", podID, eureka.StatusDown, Dirty{}, false))
		r.register(own(dirty(3000)))
		r.wait(2)
		r.wantPodOverrides(map[string]eureka.Status{podKey: eureka.StatusDown}, "after another override")
	})
}

// TestRemovalBeforeThePodWasSeenLeavesNoUnknown: the heartbeats of a pod's
// application are never refused, so that nothing would make it register again.
func TestRemovalBeforeThePodWasSeenLeavesNoUnknown(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(own())
		r.well(r.Override("ORDERS", ownID, eureka.StatusOutOfService, Dirty{}, false))
		r.well(r.RemoveOverride("ORDERS", ownID, "", Dirty{}, false))
		r.pod("ORDERS", podName, podIP, false)
		r.wait(2)
		r.wantPod(eureka.StatusUp, "after the pod was seen")
	})
}

func TestRegistrationOfAPodBringsNoOverride(t *testing.T) {
	brings := func(r *rig) { r.register(own(dirty(1500), overridden(eureka.StatusOutOfService))) }
	inEitherOrder(t, brings, func(r *rig) {
		r.wait(2)
		r.wantPod(eureka.StatusUp, "after its application brought an override")
		r.wantPodOverrides(map[string]eureka.Status{}, "after its application brought one")
	})
}

// TestMetadataUpdateLeavesTheStatus: of the registrations of a pod the last one
// counts, and an update is none.
func TestMetadataUpdateLeavesTheStatus(t *testing.T) {
	pod := func(r *rig) { r.pod("ORDERS", podName, podIP, false) }
	update := func(id string) func(*rig) {
		return func(r *rig) { r.wait(1); r.well(r.UpdateMetadata("ORDERS", id, map[string]string{"team": "red"})) }
	}
	registers := func(id string, s eureka.Status) func(*rig) {
		return func(r *rig) {
			inst := own(status(s))
			inst.ID = id
			r.wait(1)
			r.register(inst)
		}
	}
	tests := []struct {
		name  string
		steps []func(*rig)
		want  eureka.Status
	}{
		{"by the pod's id", []func(*rig){pod, registers(ownID, eureka.StatusDown), update(podID)}, eureka.StatusDown},
		{"before it registers", []func(*rig){pod, update(podID), registers(ownID, eureka.StatusDown)}, eureka.StatusDown},
		{"by an id that it had before", []func(*rig){pod, registers("old", eureka.StatusDown), registers(ownID, eureka.StatusUp), update("old")}, eureka.StatusUp},
		{"by such an id, before the pod is seen", []func(*rig){registers("old", eureka.StatusDown), registers(ownID, eureka.StatusUp), update("old"), pod}, eureka.StatusUp},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				for _, step := range tt.steps {
					step(r)
				}
				r.wantPod(tt.want, "in the end")
			})
		})
	}
}

// TestMetadataOfAPodOutlivesRegistrations: an operator's entries are the pod's.
func TestMetadataOfAPodOutlivesRegistrations(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.pod("ORDERS", podName, podIP, false)
		r.register(own())
		r.well(r.UpdateMetadata("ORDERS", ownID, map[string]string{"k": "the operator's"}))
		r.register(own(dirty(2000)))
		want := map[string]string{"k": "the operator's", "version": "1.0"}
		if diff := cmp.Diff(want, r.instance("ORDERS", podID).Metadata); diff != "" {
			t.Errorf("metadata (-want +got):\n%s", diff)
		}
	})
}

// TestStrangerUnderTheIDOfAPod registers something that is reached elsewhere.
func TestStrangerUnderTheIDOfAPod(t *testing.T) {
	stranger := func() *eureka.Instance {
		return registration("ORDERS", podID, status(eureka.StatusDown), metadata("evil", "yes"), at("10.6.6.6", "10.6.6.6", 1), lasting(3, 10))
	}
	run(t, Config{}, func(r *rig) {
		r.pod("ORDERS", podName, podIP, false)
		r.register(stranger())
		r.wantPod(eureka.StatusUp, "beside a stranger")
		if diff := cmp.Diff(map[string]string{"version": "1.0"}, r.instance("ORDERS", podID).Metadata); diff != "" {
			t.Errorf("metadata beside a stranger (-want +got):\n%s", diff)
		}
		r.well(r.Cancel("ORDERS", podID, false))
		r.wantPod(eureka.StatusUp, "after the stranger cancelled itself")
		r.well(r.Cancel("ORDERS", podID, false))
		r.wantPod("", "after the pod did")
		r.register(stranger())
		r.wantPod("", "after the stranger came back")
		r.register(own())
		r.wantPod(eureka.StatusUp, "after the pod registered")
		r.endPod(podName)
		r.wantPod(eureka.StatusDown, "which is the stranger now that the pod is gone,")
		r.pod("ORDERS", podName, podIP, false)
		r.wantPod(eureka.StatusUp, "after the pod was seen again")
		r.wait(12)
		r.endPod(podName)
		r.wantPod("", "after the stranger's lease and the pod ended")
	})
}

// TestLeasesOfAPodAreBounded: they have no clock.
func TestLeasesOfAPodAreBounded(t *testing.T) {
	const ids, bound = 30, 8
	registerAll := func(r *rig) {
		for i := range ids {
			inst := own()
			inst.ID = fmt.Sprintf("id-%02d", i)
			r.register(inst)
		}
	}
	tests := map[string]func(*rig){
		"pod first":           func(r *rig) { r.pod("ORDERS", podName, podIP, false); registerAll(r) },
		"registrations first": func(r *rig) { registerAll(r); r.pod("ORDERS", podName, podIP, false) },
	}
	for name, arrive := range tests {
		t.Run(name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				arrive(r)
				for i := range ids {
					want := ErrNotFound
					if i >= ids-bound {
						want = nil
					}
					r.wantErr(want, r.Renew("ORDERS", fmt.Sprintf("id-%02d", i), Renewal{}))
				}
				r.wantPod(eureka.StatusUp, "with many ids")
			})
		})
	}
}

// TestEndOfAPodSparesARegistrationSince: what registered again under the same id
// before the store heard of the pod's end is another's.
func TestEndOfAPodSparesARegistrationSince(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1"))
		r.podEnded(registry.LeaseKey("A", "i1"), podKey)
		r.wantStatus(eureka.StatusUp, "after the end of a pod that it is not")
		r.well(r.Renew("A", "i1", Renewal{}))
	})
}

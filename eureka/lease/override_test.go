package lease

import (
	"fmt"
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// wantOverridden checks both status fields of instance i1 of app A.
func (r *rig) wantOverridden(status, overridden eureka.Status, when string) {
	r.t.Helper()
	inst := r.instance("A", "i1")
	if inst == nil {
		r.t.Errorf("%s the instance is not listed", when)
		return
	}
	if inst.Status != status || inst.OverriddenStatus != overridden {
		r.t.Errorf("%s the status is %s, overridden %s; want %s, overridden %s", when, inst.Status, inst.OverriddenStatus, status, overridden)
	}
}

func (r *rig) outOfService() {
	r.t.Helper()
	r.well(r.Override("A", "i1", eureka.StatusOutOfService, Dirty{}, false))
	r.wantOverridden(eureka.StatusOutOfService, eureka.StatusOutOfService, "under an override")
}

func TestFieldCase90_RemovedOverrideFallsBack(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1"))
		r.outOfService()
		r.well(r.RemoveOverride("A", "i1", eureka.StatusUp, Dirty{}, false))
		r.wantOverridden(eureka.StatusUp, eureka.StatusUnknown, "after a removal with a value")

		r.outOfService()
		r.well(r.RemoveOverride("A", "i1", "", Dirty{}, false))
		r.wantOverridden(eureka.StatusUnknown, eureka.StatusUnknown, "after a removal without a value")
		r.wantErr(ErrNotFound, r.Renew("A", "i1", Renewal{}))
		r.register(registration("A", "i1"))
		r.wantOverridden(eureka.StatusUp, eureka.StatusUnknown, "after a registration")
		r.well(r.Renew("A", "i1", Renewal{}))
	})
}

func TestUnknownInstanceIsNotKeptAliveByHeartbeats(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1", status(eureka.StatusUnknown), lasting(3, 10)))
		r.wait(8)
		r.wantErr(ErrNotFound, r.Renew("A", "i1", Renewal{}))
		r.wait(3)
		r.wantStatus("", "after the duration")
	})
}

func TestFieldCase91_OverrideSurvivesRegistration(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1"))
		r.outOfService()
		r.register(registration("A", "i1", dirty(2000)))
		r.wantOverridden(eureka.StatusOutOfService, eureka.StatusOutOfService, "after a registration as UP")
		r.well(r.UpdateMetadata("A", "i1", map[string]string{"k": "v"}))
		r.wantOverridden(eureka.StatusOutOfService, eureka.StatusOutOfService, "after a metadata update")
		r.register(registration("A", "i1", dirty(2001), status(eureka.StatusDown)))
		r.wantOverridden(eureka.StatusDown, eureka.StatusOutOfService, "while it reports DOWN, which is believed,")
		r.register(registration("A", "i1", dirty(2002)))
		r.wantOverridden(eureka.StatusOutOfService, eureka.StatusOutOfService, "after it is UP again")
	})
}

func TestFieldCase93_OverrideFollowsTheIDThroughEviction(t *testing.T) {
	tests := []struct {
		name   string
		absent time.Duration // from the last renewal, 10 s before the lease ends
		want   eureka.Status
	}{
		{name: "ten minutes", absent: 10 * time.Minute, want: eureka.StatusOutOfService},
		{name: "just under an hour after the end", absent: time.Hour + 9*time.Second, want: eureka.StatusOutOfService},
		{name: "an hour after the end", absent: time.Hour + 10*time.Second, want: eureka.StatusUp},
		{name: "two hours", absent: 2 * time.Hour, want: eureka.StatusUp},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1", lasting(3, 10)))
				r.outOfService()
				time.Sleep(tt.absent)
				r.wantStatus("", "after expiry")
				r.register(registration("A", "i1"))
				r.wantStatus(tt.want, "after a new registration")
			})
		})
	}
}

// TestFieldCase93_OverrideOutlivesSelfPreservation has leases overdue for as long
// as self-preservation lasts at most, which is as long as overrides are kept.
func TestFieldCase93_OverrideOutlivesSelfPreservation(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Hour}, func(r *rig) {
		for i := range 10 {
			r.register(registration("A", fmt.Sprint("i", i)))
		}
		r.outOfService()
		time.Sleep(time.Hour + 2*time.Minute)
		r.wantStatus("", "after the ceiling")
		r.register(registration("A", "i1"))
		r.wantStatus(eureka.StatusOutOfService, "after a new registration")
	})
}

func TestFieldCase93_CancelClearsTheOverride(t *testing.T) {
	tests := map[string]struct {
		expired bool
		want    error
	}{
		"of a lease":          {},
		"of an expired lease": {expired: true, want: ErrNotFound},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1", lasting(3, 10)))
				r.outOfService()
				if tt.expired {
					r.wait(15)
				}
				r.wantErr(tt.want, r.Cancel("A", "i1", false))
				r.register(registration("A", "i1"))
				r.wantOverridden(eureka.StatusUp, eureka.StatusUnknown, "after cancel and registration")
			})
		})
	}
}

func TestFieldCase95_ReportedStatusIsNoOverride(t *testing.T) {
	for _, reported := range eureka.Statuses {
		t.Run(string(reported), func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1", status(reported)))
				r.wantOverridden(reported, eureka.StatusUnknown, "after the first report")
				r.register(registration("A", "i1", dirty(2000)))
				r.wantOverridden(eureka.StatusUp, eureka.StatusUnknown, "after the second")
			})
		})
	}
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1"))
		r.register(registration("A", "i1", dirty(2000), status(eureka.StatusOutOfService)))
		r.wantOverridden(eureka.StatusOutOfService, eureka.StatusUnknown, "when it takes itself out of service")
	})
}

// TestOverrideEqualToTheStatusStoresNothing is trap 17 of protocol section 8.2.
func TestOverrideEqualToTheStatusStoresNothing(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1"))
		r.drain()
		before := r.version
		r.well(r.Override("A", "i1", eureka.StatusUp, Dirty{Timestamp: 5000, Given: true}, false))
		r.wantOverridden(eureka.StatusUp, eureka.StatusUnknown, "after an override as it is")
		if r.version != before {
			t.Error("a client can see a difference")
		}
		r.register(registration("A", "i1", status(eureka.StatusOutOfService)))
		r.wantOverridden(eureka.StatusOutOfService, eureka.StatusUnknown, "afterwards")
	})
}

func TestOverridesAreKeptByAppAndID(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1"))
		r.register(registration("B", "i1"))
		r.outOfService()
		r.register(registration("B", "i1"))
		if got := r.status("B", "i1"); got != eureka.StatusUp {
			t.Errorf("the instance of the same id in another app is %s", got)
		}
	})
}

func TestOverrideToUnknownHoldsUntilRemoved(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1"))
		r.well(r.Override("A", "i1", eureka.StatusUnknown, Dirty{}, false))
		r.wantErr(ErrNotFound, r.Renew("A", "i1", Renewal{}))
		r.register(registration("A", "i1"))
		r.wantStatus(eureka.StatusUnknown, "after a registration")
		r.well(r.RemoveOverride("A", "i1", eureka.StatusUp, Dirty{}, false))
		r.wantStatus(eureka.StatusUp, "after the removal")
	})
}

func TestOverridesOfPeers(t *testing.T) {
	newer := Renewal{LastDirty: 2000, HasLastDirty: true, Replica: true, OverriddenStatus: eureka.StatusOutOfService}
	with := func(change func(*Renewal)) Renewal {
		r := newer
		change(&r)
		return r
	}
	tests := []struct {
		name    string
		renewal Renewal
		err     error
		want    eureka.Status
	}{
		{name: "newer", renewal: newer, err: ErrNotFound, want: eureka.StatusOutOfService},
		{name: "newer without an override", renewal: with(func(r *Renewal) { r.OverriddenStatus = "" }), err: ErrNotFound, want: eureka.StatusUp},
		{name: "newer with UNKNOWN for none", renewal: with(func(r *Renewal) { r.OverriddenStatus = eureka.StatusUnknown }), err: ErrNotFound, want: eureka.StatusUp},
		{name: "newer from no peer", renewal: with(func(r *Renewal) { r.Replica = false }), err: ErrNotFound, want: eureka.StatusUp},
		{name: "equal", renewal: with(func(r *Renewal) { r.LastDirty = 1000 }), want: eureka.StatusUp},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1"))
				r.wantErr(tt.err, r.Renew("A", "i1", tt.renewal))
				r.register(registration("A", "i1", dirty(2000)))
				r.wantStatus(tt.want, "after the registration that follows")
			})
		})
	}
	t.Run("registration", func(t *testing.T) {
		run(t, Config{}, func(r *rig) {
			r.well(r.Register(t.Context(), registration("A", "i1", overridden(eureka.StatusOutOfService)), noAddr, true))
			r.wantOverridden(eureka.StatusOutOfService, eureka.StatusOutOfService, "after it came with an override")
			r.well(r.Register(t.Context(), registration("A", "i1", overridden(eureka.StatusDown)), noAddr, true))
			r.wantOverridden(eureka.StatusOutOfService, eureka.StatusOutOfService, "after it came with another, which ours precedes,")
		})
	})
}

func TestStatusOfNobodyIsNotFound(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.wantErr(ErrNotFound, r.Override("A", "i1", eureka.StatusDown, Dirty{}, false))
		r.wantErr(ErrNotFound, r.RemoveOverride("A", "i1", "", Dirty{}, false))
		r.register(registration("A", "i1"))
		r.well(r.RemoveOverride("A", "i1", "", Dirty{}, false))
		r.wantOverridden(eureka.StatusUp, eureka.StatusUnknown, "after a removal of nothing")
	})
}

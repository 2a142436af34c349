package lease

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

func TestFieldCase14_HostNameIsTheIDWhenNoneIsSent(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("WEB", "", at("node-1", "10.9.9.9", 8080)))
		r.well(r.Renew("WEB", "node-1", Renewal{}))
		r.well(r.Cancel("WEB", "node-1", false))
	})
}

func TestFieldCase27_HeartbeatAfterExpiryIsNotFoundAndRegistrationBringsBack(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1", lasting(1, 3)))
		r.wait(4)
		r.wantStatus("", "after expiry")
		r.wantErr(ErrNotFound, r.Renew("A", "i1", Renewal{}))
		r.register(registration("A", "i1", lasting(1, 3)))
		r.wantStatus(eureka.StatusUp, "after a new registration")
	})
}

func TestFieldCase28_SecondCancelIsNotFound(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1"))
		r.well(r.Renew("A", "i1", Renewal{}))
		r.well(r.Cancel("A", "i1", false))
		r.wantStatus("", "after the cancel")
		r.wantErr(ErrNotFound, r.Cancel("A", "i1", false))
	})
}

func TestFieldCase36_AppsAreMatchedInAnyCase(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("Orders", "i1"))
		r.register(registration("ORDERS", "i2"))
		for _, id := range []string{"i1", "i2"} {
			if r.instance("ORDERS", id) == nil {
				t.Errorf("ORDERS has no %s", id)
			}
		}
		r.well(r.Renew("oRdErS", "i1", Renewal{}))
		r.well(r.Override("orders", "i1", eureka.StatusDown, Dirty{}, false))
		r.well(r.RemoveOverride("orders", "i1", eureka.StatusUp, Dirty{}, false))
		r.well(r.UpdateMetadata("orders", "i1", map[string]string{"k": "v"}))
		if _, ok := r.Lease("orders", "i1"); !ok {
			t.Error("no lease of orders/i1")
		}
		r.well(r.Cancel("orders", "i1", false))
	})
}

func TestFieldCase37_IDsAreMatchedByteForByte(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("DEMO", "10.0.0.9:Web:9000"))
		r.wantErr(ErrNotFound, r.Renew("DEMO", "10.0.0.9:web:9000", Renewal{}))
		if r.instance("DEMO", "10.0.0.9:Web:9000") == nil {
			t.Error("the instance is not listed under its id")
		}
		r.well(r.Cancel("DEMO", "10.0.0.9:Web:9000", false))
	})
}

func TestFieldCase39_LeaseDefaults(t *testing.T) {
	tests := map[string]struct{ interval, duration int }{
		"absent":   {},
		"negative": {-1, -90},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1", lasting(tt.interval, tt.duration)))
				now := time.Now().UnixMilli()
				want := eureka.Lease{
					RenewalIntervalInSecs: 30, DurationInSecs: 90,
					RegistrationTimestamp: now, LastRenewalTimestamp: now, ServiceUpTimestamp: now,
				}
				got, _ := r.Lease("A", "i1")
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("lease (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestFieldCase40_LeaseEndsAtItsDuration(t *testing.T) {
	tests := map[string]struct{ beats, listed, gone int }{ // seconds
		"never renewed":      {beats: 0, listed: 9, gone: 11},
		"renewed at 7":       {beats: 7, listed: 16, gone: 18},
		"renewed at 9, once": {beats: 9, listed: 18, gone: 20},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1", lasting(3, 10)))
				if tt.beats > 0 {
					r.wait(tt.beats)
					r.well(r.Renew("A", "i1", Renewal{}))
				}
				r.wait(tt.listed - tt.beats)
				r.wantStatus(eureka.StatusUp, fmt.Sprint("after ", tt.listed, " s"))
				r.wait(tt.gone - tt.listed)
				r.wantStatus("", fmt.Sprint("after ", tt.gone, " s"))
			})
		})
	}
}

func TestEvictionIsDeletedInTheDelta(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1", lasting(3, 10)))
		r.drain()
		r.wait(11)
		r.drain()
		if diff := cmp.Diff([]string{"ADDED i1", "DELETED i1"}, r.deltas); diff != "" {
			t.Errorf("delta (-want +got):\n%s", diff)
		}
	})
}

func TestLongLeaseDoesNotOverflow(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1", lasting(30, 1<<62)))
		r.wait(120)
		r.wantStatus(eureka.StatusUp, "after two minutes of a very long lease")
	})
}

func TestFieldCase89_HeartbeatsChangeNothingThatClientsSee(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1", status(eureka.StatusDown)))
		r.drain()
		before := r.version
		for range 5 {
			r.wait(30)
			r.well(r.Renew("A", "i1", Renewal{LastDirty: 1000, HasLastDirty: true}))
		}
		r.wantStatus(eureka.StatusDown, "after heartbeats")
		if r.version != before {
			t.Errorf("heartbeats moved the version from %d to %d", before, r.version)
		}
		r.register(registration("A", "i1", dirty(2000)))
		r.wantStatus(eureka.StatusUp, "after a newer registration")
	})
}

func TestLeaseTimestamps(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		start := time.Now().UnixMilli()
		check := func(when string, want eureka.Lease) {
			t.Helper()
			want.RenewalIntervalInSecs, want.DurationInSecs = 30, 90
			got, _ := r.Lease("A", "i1")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", when, diff)
			}
		}
		r.register(registration("A", "i1", status(eureka.StatusStarting)))
		check("registered while starting", eureka.Lease{RegistrationTimestamp: start, LastRenewalTimestamp: start})

		r.wait(10)
		r.register(registration("A", "i1"))
		check("up", eureka.Lease{RegistrationTimestamp: start + 10_000, LastRenewalTimestamp: start + 10_000, ServiceUpTimestamp: start + 10_000})

		r.wait(10)
		r.well(r.Renew("A", "i1", Renewal{}))
		r.wait(5) // the time of the renewal is shown, neither that of the question nor that of the end
		check("renewed", eureka.Lease{RegistrationTimestamp: start + 10_000, LastRenewalTimestamp: start + 20_000, ServiceUpTimestamp: start + 10_000})

		r.register(registration("A", "i1", status(eureka.StatusDown)))
		check("registered again", eureka.Lease{RegistrationTimestamp: start + 25_000, LastRenewalTimestamp: start + 25_000, ServiceUpTimestamp: start + 10_000})

		r.wait(5)
		r.well(r.UpdateMetadata("A", "i1", map[string]string{"k": "v"}))
		check("metadata updated", eureka.Lease{RegistrationTimestamp: start + 30_000, LastRenewalTimestamp: start + 30_000, ServiceUpTimestamp: start + 10_000})

		r.well(r.Cancel("A", "i1", false))
		if got, ok := r.Lease("A", "i1"); ok {
			t.Errorf("a cancelled lease is %v", got)
		}
	})
}

func TestTheFirstTimeUp(t *testing.T) {
	for _, tt := range []struct {
		name string
		up   func(*rig) error
	}{
		{name: "by an override", up: func(r *rig) error { return r.Override("A", "i1", eureka.StatusUp, Dirty{}, false) }},
		{name: "by the removal of one", up: func(r *rig) error { return r.RemoveOverride("A", "i1", eureka.StatusUp, Dirty{}, false) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1", status(eureka.StatusDown)))
				r.well(r.Override("A", "i1", eureka.StatusOutOfService, Dirty{}, false))
				r.wait(5)
				r.well(tt.up(r))
				lease, _ := r.Lease("A", "i1")
				if want := time.Now().UnixMilli(); lease.ServiceUpTimestamp != want {
					t.Errorf("serviceUpTimestamp = %d, want %d", lease.ServiceUpTimestamp, want)
				}
			})
		})
	}
}

func TestWritesRenew(t *testing.T) {
	tests := map[string]func(*rig) error{
		"status":                func(r *rig) error { return r.Override("A", "i1", eureka.StatusDown, Dirty{}, false) },
		"status that it has":    func(r *rig) error { return r.Override("A", "i1", eureka.StatusUp, Dirty{}, false) },
		"no override to remove": func(r *rig) error { return r.RemoveOverride("A", "i1", "", Dirty{}, false) },
		"metadata":              func(r *rig) error { return r.UpdateMetadata("A", "i1", map[string]string{"k": "v"}) },
		"newer heartbeat": func(r *rig) error {
			if err := r.Renew("A", "i1", Renewal{LastDirty: 2000, HasLastDirty: true}); err != ErrNotFound {
				return fmt.Errorf("error %v, want %v", err, ErrNotFound)
			}
			return nil
		},
	}
	for name, write := range tests {
		t.Run(name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1", lasting(3, 10)))
				r.wait(8)
				r.well(write(r))
				r.wait(8)
				if r.instance("A", "i1") == nil {
					t.Error("the lease was not renewed")
				}
				r.wait(3)
				if r.instance("A", "i1") != nil {
					t.Error("the lease lasts longer than from a heartbeat")
				}
			})
		})
	}
}

func TestMetadataIsMergedAndYieldsToTheNextRegistration(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1", metadata("team", "red")))
		given := map[string]string{"zone": "z1", "team": "blue"}
		r.well(r.UpdateMetadata("A", "i1", given))
		given["zone"] = "changed by the caller afterwards"
		inst := r.instance("A", "i1")
		if diff := cmp.Diff(map[string]string{"team": "blue", "zone": "z1"}, inst.Metadata); diff != "" {
			t.Errorf("metadata (-want +got):\n%s", diff)
		}
		if inst.LastDirtyTimestamp != 1000 {
			t.Errorf("lastDirtyTimestamp is %d, want it unchanged", inst.LastDirtyTimestamp)
		}
		r.register(registration("A", "i1", metadata("team", "red")))
		if diff := cmp.Diff(map[string]string{"team": "red"}, r.instance("A", "i1").Metadata); diff != "" {
			t.Errorf("metadata after registration (-want +got):\n%s", diff)
		}
		r.wantErr(ErrNotFound, r.UpdateMetadata("A", "nobody", given))
	})
}

func TestOffRefusesEveryWrite(t *testing.T) {
	run(t, Config{Mode: ModeOff}, func(r *rig) {
		r.pod("A", "a-1", "10.0.0.5", false)
		const id = "10.0.0.5:a:8080"
		for name, err := range map[string]error{
			"Register":       r.Register(t.Context(), registration("A", "i1"), noAddr, false),
			"Renew":          r.Renew("A", id, Renewal{}),
			"Cancel":         r.Cancel("A", id, false),
			"Override":       r.Override("A", id, eureka.StatusDown, Dirty{}, false),
			"RemoveOverride": r.RemoveOverride("A", id, "", Dirty{}, false),
			"UpdateMetadata": r.UpdateMetadata("A", id, nil),
		} {
			if err != ErrOff {
				t.Errorf("%s = %v, want %v", name, err, ErrOff)
			}
		}
		if got := r.status("A", id); got != eureka.StatusUp {
			t.Errorf("the pod is %q after refused writes, want UP", got)
		}
	})
}

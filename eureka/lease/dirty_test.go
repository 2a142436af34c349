package lease

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

var noAddr netip.Addr

// TestLastDirtyTimestampOfRegistrations is the first half of the table of
// protocol section 5.3: the stored instance has 1000.
func TestLastDirtyTimestampOfRegistrations(t *testing.T) {
	tests := []struct {
		name    string
		replica bool
		sent    int64
		want    string // whose description is listed
		stored  int64
	}{
		{name: "newer", sent: 1001, want: "new", stored: 1001},
		{name: "tie goes to the newcomer", sent: 1000, want: "new", stored: 1000},
		{name: "older", sent: 999, want: "old", stored: 1000},
		{name: "newer replica", replica: true, sent: 1001, want: "new", stored: 1001},
		{name: "tie of a replica", replica: true, sent: 1000, want: "new", stored: 1000},
		{name: "older replica", replica: true, sent: 999, want: "old", stored: 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1", vip("old"), lasting(3, 10)))
				r.wait(8)
				if err := r.Register(t.Context(), registration("A", "i1", vip("new"), dirty(tt.sent), lasting(5, 20)), noAddr, tt.replica); err != nil {
					t.Fatal(err)
				}
				inst := r.instance("A", "i1")
				if inst.VIPAddress != tt.want || inst.LastDirtyTimestamp != tt.stored {
					t.Errorf("the %s description is listed with %d, want the %s one with %d", inst.VIPAddress, inst.LastDirtyTimestamp, tt.want, tt.stored)
				}
				// The lease is the one asked for last, whatever becomes of the description.
				lease, _ := r.Lease("A", "i1")
				now := time.Now().UnixMilli()
				if lease.DurationInSecs != 20 || lease.RegistrationTimestamp != now {
					t.Errorf("lease of %d s registered at %d, want 20 s at %d", lease.DurationInSecs, lease.RegistrationTimestamp, now)
				}
				r.wait(19)
				if r.instance("A", "i1") == nil {
					t.Error("the lease did not begin anew")
				}
				r.wait(2)
				r.wantStatus("", "after the new lease")
			})
		})
	}
}

func TestRegistrationWithoutDirtyTimestampGetsTheTime(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1", dirty(0)))
		if got, want := r.instance("A", "i1").LastDirtyTimestamp, time.Now().UnixMilli(); got != want {
			t.Errorf("lastDirtyTimestamp = %d, want %d", got, want)
		}
	})
}

// TestLastDirtyTimestampOfHeartbeats is the second part of that table.
func TestLastDirtyTimestampOfHeartbeats(t *testing.T) {
	tests := []struct {
		name     string
		renewal  Renewal
		want     error
		conflict bool
	}{
		{name: "absent"},
		{name: "equal", renewal: Renewal{LastDirty: 1000, HasLastDirty: true}},
		{name: "newer", renewal: Renewal{LastDirty: 1001, HasLastDirty: true}, want: ErrNotFound},
		{name: "older", renewal: Renewal{LastDirty: 999, HasLastDirty: true}},
		{name: "zero is older", renewal: Renewal{HasLastDirty: true}},
		{name: "absent from a replica", renewal: Renewal{Replica: true}},
		{name: "equal from a replica", renewal: Renewal{LastDirty: 1000, HasLastDirty: true, Replica: true}},
		{name: "newer from a replica", renewal: Renewal{LastDirty: 1001, HasLastDirty: true, Replica: true}, want: ErrNotFound},
		{name: "older from a replica", renewal: Renewal{LastDirty: -1, HasLastDirty: true, Replica: true}, conflict: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				r.register(registration("A", "i1"))
				r.wait(10)
				err := r.Renew("A", "i1", tt.renewal)
				if !tt.conflict {
					r.wantErr(tt.want, err)
				} else if ours, ok := errors.AsType[*ConflictError](err); !ok {
					t.Errorf("error %v, want a conflict", err)
				} else {
					want := *r.instance("A", "i1")
					want.ActionType = "" // the registry's
					want.LastUpdatedTimestamp = ours.Instance.LastUpdatedTimestamp
					want.Lease.LastRenewalTimestamp += 10_000
					if diff := cmp.Diff(&want, ours.Instance); diff != "" {
						t.Errorf("instance of the conflict (-want +got):\n%s", diff)
					}
				}
				lease, _ := r.Lease("A", "i1")
				if want := time.Now().UnixMilli(); lease.LastRenewalTimestamp != want {
					t.Errorf("renewed at %d, want %d", lease.LastRenewalTimestamp, want)
				}
			})
		})
	}
}

// TestLastDirtyTimestampOfStatusChanges is the third part of that table.
func TestLastDirtyTimestampOfStatusChanges(t *testing.T) {
	tests := []struct {
		name  string
		dirty Dirty
		want  int64
	}{
		{name: "newer", dirty: Dirty{Timestamp: 1001, Given: true}, want: 1001},
		{name: "older", dirty: Dirty{Timestamp: 999, Given: true}, want: 1000},
		{name: "absent", want: 1000},
	}
	for _, tt := range tests {
		for _, replica := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				run(t, Config{}, func(r *rig) {
					r.register(registration("A", "i1"))
					r.well(r.Override("A", "i1", eureka.StatusDown, tt.dirty, replica))
					r.wantStatus(eureka.StatusDown, "after the override")
					if got := r.instance("A", "i1").LastDirtyTimestamp; got != tt.want {
						t.Errorf("lastDirtyTimestamp = %d, want %d", got, tt.want)
					}
				})
				run(t, Config{}, func(r *rig) {
					r.register(registration("A", "i1"))
					r.well(r.Override("A", "i1", eureka.StatusDown, Dirty{}, replica))
					r.well(r.RemoveOverride("A", "i1", eureka.StatusUp, tt.dirty, replica))
					r.wantStatus(eureka.StatusUp, "after the removal")
					if got := r.instance("A", "i1").LastDirtyTimestamp; got != tt.want {
						t.Errorf("lastDirtyTimestamp = %d, want %d", got, tt.want)
					}
				})
			})
		}
	}
}

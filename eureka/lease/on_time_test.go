package lease

import (
	"fmt"
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// ofOthers reports whether an instance cannot cancel its lease.
func ofOthers(inst *eureka.Instance) bool { return inst.Metadata["ends"] == "on time" }

// others registers n instances of B whose leases end on time.
func (r *rig) others(n int) {
	for i := range n {
		r.register(registration("B", fmt.Sprint("i", i), lasting(8, 10), metadata("ends", "on time")))
	}
}

func TestLeasesThatEndOnTimeAreNoOutage(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Hour, EndsOnTime: ofOthers}, func(r *rig) {
		r.fleet(4)
		r.others(20)
		r.beat(0, 4, 11)
		if got := r.Stats(); r.present() != 4 || got.Leases != 4 || got.Overdue != 0 || got.SelfPreservation {
			t.Errorf("%d are listed after 20 of 24 were overdue at once, %+v; want the other 4", r.present(), got)
		}
		r.wait(8)
		r.beat(1, 4, 4) // one of four crashed, and the twenty are not remembered
		if got := r.Stats(); r.present() != 3 || got.SelfPreservation {
			t.Errorf("%d are listed after one of 4 crashed, %+v; want 3", r.present(), got)
		}
	})
}

// TestLeasesThatEndOnTimeDoNotHideAnOutage has many of them beside a few others:
// counted among those in time they would make the few too small a share.
func TestLeasesThatEndOnTimeDoNotHideAnOutage(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Hour, EndsOnTime: ofOthers}, func(r *rig) {
		r.fleet(4)
		r.others(96)
		for range 20 {
			r.wait(1)
			for i := range 90 {
				r.well(r.Renew("B", fmt.Sprint("i", i), Renewal{}))
			}
		}
		if got := r.Stats(); r.present() != 94 || got.Leases != 94 || got.Overdue != 4 || !got.SelfPreservation {
			t.Errorf("%d are listed in an outage of all 4 of A, %+v; want those 4 and the 90 of B that renewed", r.present(), got)
		}
	})
}

// TestMetadataSaysWhetherALeaseEndsOnTime follows one through an update of its
// metadata, which says no more that it ends on time.
func TestMetadataSaysWhetherALeaseEndsOnTime(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Hour, EndsOnTime: ofOthers}, func(r *rig) {
		r.others(3)
		for i := range 3 {
			r.well(r.UpdateMetadata("B", fmt.Sprint("i", i), map[string]string{"ends": "as others"}))
		}
		r.wait(11)
		if got := r.Stats(); r.present() != 3 || !got.SelfPreservation {
			t.Errorf("%d are listed, %+v; want self-preservation for all 3", r.present(), got)
		}
	})
}

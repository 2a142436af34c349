package lease

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/internal/journal"
)

// told are the lines at verbosity 0, with their values.
func (r *rig) told() []string {
	var all []string
	for _, entry := range r.logger.GetSink().(ktesting.Underlier).GetBuffer().Data() {
		if entry.Verbosity == 0 {
			line := entry.Message
			for i := 1; i < len(entry.ParameterKVList); i += 2 {
				line += fmt.Sprintf(" %v=%v", entry.ParameterKVList[i-1], entry.ParameterKVList[i])
			}
			all = append(all, line)
		}
	}
	return all
}

func (r *rig) wantTold(want ...string) {
	r.t.Helper()
	if diff := cmp.Diff(want, r.told()); diff != "" {
		r.t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestJournal_TellsOfALease(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.register(registration("A", "i1"))
		r.register(registration("A", "i1", status(eureka.StatusDown)))
		r.register(registration("A", "i1"))
		r.well(r.Renew("A", "i1", Renewal{}))
		r.well(r.Override("a", "i1", eureka.StatusOutOfService, Dirty{}, false))
		r.well(r.Override("a", "i1", eureka.StatusOutOfService, Dirty{}, false)) // it has that status
		r.well(r.RemoveOverride("A", "i1", eureka.StatusUp, Dirty{}, false))
		r.well(r.RemoveOverride("A", "i1", eureka.StatusUp, Dirty{}, false)) // there is none
		r.wantErr(ErrNotFound, r.Renew("A", "i1", Renewal{LastDirty: 2000, HasLastDirty: true, Replica: true, OverriddenStatus: eureka.StatusDown}))
		r.well(r.Cancel("A", "i1", false))
		r.wantErr(ErrNotFound, r.Cancel("A", "i1", false))
		r.wantTold(
			"Registered an instance app=A instanceID=i1 status=UP",
			"Overrode the status of an instance app=A instanceID=i1 status=OUT_OF_SERVICE",
			"Removed the override of an instance app=A instanceID=i1 status=UP",
			"Overrode the status of an instance app=A instanceID=i1 status=DOWN",
			"Cancelled an instance app=A instanceID=i1",
		)
	})
}

func TestJournal_TellsOfAPod(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.pod("ORDERS", podName, podIP, false)
		r.well(r.Override("ORDERS", podID, eureka.StatusOutOfService, Dirty{}, false))
		r.well(r.Override("ORDERS", podID, eureka.StatusOutOfService, Dirty{}, false))
		r.well(r.RemoveOverride("ORDERS", podID, "", Dirty{}, false))
		r.well(r.RemoveOverride("ORDERS", podID, "", Dirty{}, false))
		r.register(registration("ORDERS", "own", at(podIP, podIP, 8080)))
		r.well(r.Cancel("ORDERS", "own", false))
		r.well(r.Cancel("ORDERS", "own", false))
		r.register(registration("ORDERS", "own", at(podIP, podIP, 8080))) // lists the pod again
		r.register(registration("ORDERS", "own", at(podIP, podIP, 8080)))
		const pod = " pod=shop/" + podName + "/uid"
		r.wantTold(
			"Overrode the status of an instance app=ORDERS instanceID="+podID+" status=OUT_OF_SERVICE"+pod,
			"Removed the override of an instance app=ORDERS instanceID="+podID+pod,
			"Registered an instance app=ORDERS instanceID=own status=UP"+pod,
			"Cancelled an instance app=ORDERS instanceID=own"+pod,
			"Registered an instance app=ORDERS instanceID=own status=UP"+pod,
		)
	})
}

func TestJournal_TellsWhichLeasesWereOver(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Minute}, func(r *rig) {
		r.fleet(4)
		r.wait(10 + 60)
		told := r.told()[4:]
		slices.Sort(told[2:]) // shards have no order
		want := []string{
			"Self-preservation began: overdue leases do not expire leases=4 overdue=4",
			"Self-preservation ended: overdue leases expire leases=4 overdue=4 lasted=1m0s ceilingReached=true",
		}
		for i := range 4 {
			want = append(want, fmt.Sprintf("Evicted an instance because its lease was over app=A instanceID=i%d duration=10s overdue=1m0s", i))
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
	})
}

// TestJournal_IsBounded floods the log with instances that come and go: none of it
// hides what an operator does.
func TestJournal_IsBounded(t *testing.T) {
	run(t, Config{}, func(r *rig) {
		r.fleet(journal.Lines + 50)
		r.wait(11)
		r.register(registration("B", "i1"))
		r.well(r.Override("B", "i1", eureka.StatusDown, Dirty{}, false))
		count := func(prefix string) (n int) {
			for _, line := range r.told() {
				if strings.HasPrefix(line, prefix) {
					n++
				}
			}
			return n
		}
		for prefix, want := range map[string]int{"Registered": journal.Lines, "Evicted": journal.Lines, "Overrode": 1, "Left": 0} {
			if got := count(prefix); got != want {
				t.Errorf("%d lines begin with %s, want %d", got, prefix, want)
			}
		}
		before := len(r.told())
		r.wait(int(journal.Window/time.Second) + 1)
		left := r.told()[before:]
		want := []string{
			"Left lines out of the log, which has them at -v=2 about=registrations leftOut=51 within=1m0s",
			"Left lines out of the log, which has them at -v=2 about=evictions leftOut=50 within=1m0s",
		}
		if diff := cmp.Diff(want, left); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
	})
}

package snapshot

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// TestListAndDeltaShareWhatIsInBoth looks at how many pieces are the same in both,
// and at what the delta holds, as a registry of 16 pieces lives.
func TestListAndDeltaShareWhatIsInBoth(t *testing.T) {
	const pods, apps = 16 * 200, 160
	clock := time.UnixMilli(1_700_000_000_000)
	st := &store{registry.New(func() time.Time { return clock }), newSnapshot(1)}
	list := func(from, to int) {
		for n := from; n < to; n++ {
			inst := pod(n, apps)
			inst.LastDirtyTimestamp = clock.UnixMilli()
			st.registry.Replace(registry.OwnerLease, fmt.Sprint(n), registry.Listed(inst))
		}
	}
	pass := func(d time.Duration) {
		clock = clock.Add(d)
		st.registry.Forget()
	}
	recent := map[string][]*eureka.Instance{}
	for _, step := range []struct {
		name         string
		do           func()
		shared, want int // pieces in both, instances in the delta
	}{
		{"all are listed", func() { list(0, pods) }, 16, pods},
		{"one is gone", func() { st.registry.Replace(registry.OwnerLease, "0") }, 15, pods},
		{"it is back", func() { list(0, 1) }, 16, pods},
		{"all but those are forgotten, then come again", func() {
			pass(registry.DeltaWindow / 2)
			list(0, apps)
			pass(registry.DeltaWindow/2 + time.Second)
		}, 0, apps},
		{"all are listed again", func() { list(0, pods) }, 16, pods},
		{"one is gone and another of its app has left the delta", func() {
			pass(registry.DeltaWindow / 2)
			st.registry.Replace(registry.OwnerLease, "0")
			list(1, apps)
			list(apps+1, pods)
			pass(registry.DeltaWindow/2 + time.Second)
		}, 15, pods - 1},
		{"nothing is left of the delta", func() { pass(registry.DeltaWindow + time.Second) }, 0, 0},
	} {
		step.do()
		changes := st.registry.Drain()
		st.Snapshot = st.next(changes, clock)
		for _, app := range changes.Apps {
			recent[app.Name] = app.Recent
		}
		maps.DeleteFunc(recent, func(_ string, instances []*eureka.Instance) bool { return len(instances) == 0 })
		got := map[string][]*eureka.Instance{}
		st.delta.each(func(a *listed) { got[a.Name] = a.Instances })
		if diff := cmp.Diff(recent, got); diff != "" {
			t.Fatalf("%s: the delta (-want +got):\n%s", step.name, diff)
		}
		if shared := st.shared(); shared != step.shared || st.delta.size != step.want {
			t.Errorf("%s: %d pieces are shared and the delta holds %d; want %d and %d", step.name, shared, st.delta.size, step.shared, step.want)
		}
	}
}

// shared is how many pieces are in the full list and in the delta.
func (s *Snapshot) shared() (n int) {
	in := map[*piece]bool{}
	for _, p := range s.full.pieces {
		in[p] = len(p.apps) > 0
	}
	for _, p := range s.delta.pieces {
		if in[p] {
			n++
		}
	}
	return n
}

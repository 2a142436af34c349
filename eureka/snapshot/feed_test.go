package snapshot

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

func TestChanges(t *testing.T) {
	tests := []struct {
		name   string
		before *eureka.Instance // nil for not listed
		do     func(st *store)
		want   []string
	}{
		{"a new instance that is UP", nil, func(st *store) { st.say(0, as(0, eureka.StatusUp)) }, []string{"1 up 10.0.0.0 ADDED\n"}},
		{"a new instance that starts", nil, func(st *store) { st.say(0, as(0, eureka.StatusStarting)) }, []string{"1 modified 10.0.0.0 ADDED\n"}},
		{"it turns UP", as(0, eureka.StatusStarting), func(st *store) { st.say(0, as(0, eureka.StatusUp)) }, []string{"1 up 10.0.0.0 MODIFIED\n"}},
		{"it is taken out", as(0, eureka.StatusUp), func(st *store) { st.say(0, as(0, eureka.StatusOutOfService)) }, []string{"1 down 10.0.0.0 MODIFIED\n"}},
		{"it goes", as(0, eureka.StatusUp), func(st *store) { st.say(0, nil) }, []string{"1 down 10.0.0.0 DELETED\n"}},
		{"it goes while it is DOWN", as(0, eureka.StatusDown), func(st *store) { st.say(0, nil) }, []string{"1 down 10.0.0.0 DELETED\n"}},
		{"another status, neither UP", as(0, eureka.StatusDown), func(st *store) { st.say(0, as(0, eureka.StatusStarting)) }, []string{"1 modified 10.0.0.0 MODIFIED\n"}},
		{"other metadata", as(0, eureka.StatusUp), func(st *store) {
			inst := as(0, eureka.StatusUp)
			inst.Metadata["version"] = "2"
			st.say(0, inst)
		}, []string{"1 modified 10.0.0.0 MODIFIED\n"}},
		{"nothing that a client sees", as(0, eureka.StatusUp), func(st *store) { st.say(0, as(0, eureka.StatusUp)) }, nil},
		{"it goes and comes back unseen", as(0, eureka.StatusUp), func(st *store) {
			st.say(0, nil)
			st.say(0, as(0, eureka.StatusUp))
		}, []string{"1 modified 10.0.0.0 ADDED\n"}},
		{"it comes and goes unseen", nil, func(st *store) {
			st.say(0, as(0, eureka.StatusUp))
			st.say(0, nil)
		}, nil},
		{"several changes of one instance", as(0, eureka.StatusUp), func(st *store) {
			st.say(0, as(0, eureka.StatusDown))
			st.say(0, as(0, eureka.StatusStarting))
		}, []string{"1 down 10.0.0.0 MODIFIED\n"}},
		{"one is replaced: the new one comes first", as(0, eureka.StatusUp), func(st *store) {
			st.say(0, nil)
			st.say(2, as(2, eureka.StatusUp))
		}, []string{"1 up 10.0.0.2 ADDED\n", "2 down 10.0.0.0 DELETED\n"}},
		{"two publications", as(0, eureka.StatusUp), func(st *store) {
			st.say(0, nil)
			st.publish()
			st.say(1, as(1, eureka.StatusUp))
		}, []string{"1 down 10.0.0.0 DELETED\n", "2 up 10.0.0.1 ADDED\n"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := storeOf(tt.before)
			start := st.Token()
			tt.do(st)
			st.publish()
			if diff := cmp.Diff(tt.want, st.told(t, start)); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if got, want := st.Sequence(), int64(len(tt.want)); got != want {
				t.Errorf("Sequence() = %d, want %d", got, want)
			}
		})
	}
}

func TestSince(t *testing.T) {
	st := newStore(0, 2)
	first := st.Token()
	for n := range 3 {
		st.say(n, as(n, eureka.StatusUp))
		st.publish()
	}
	tests := []struct {
		name  string
		since Token
		want  int // changes, -1 for unknown
	}{
		{"from the start", first, 3},
		{"in between", Token{first.Epoch, 2}, 1},
		{"now", st.Token(), 0},
		{"of the future", Token{first.Epoch, 4}, -1},
		{"before the start", Token{first.Epoch, -1}, -1},
		{"another server's", newStore(0, 1).Token(), -1},
		{"none", Token{}, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			changes, ok := st.Since(tt.since)
			if ok != (tt.want >= 0) || ok && len(changes) != tt.want {
				t.Errorf("Since(%v) = %d changes, %v; want %d", tt.since, len(changes), ok, tt.want)
			}
		})
	}
}

// TestWaitingForAChange has readers wait while the publisher publishes what is a
// change and what is none.
func TestWaitingForAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startPublisher(t, 0, 0)
		r.add(0)
		close(r.ready)
		synctest.Wait()
		s := r.Current()
		if s.Sequence() != 0 {
			t.Errorf("the first snapshot counts %d changes, want none", s.Sequence())
		}
		woken := make(chan []*Change, 100)
		for range cap(woken) {
			go func() {
				<-s.Moved()
				changes, _ := r.Current().Since(s.Token())
				woken <- changes
			}()
		}
		time.Sleep(registry.DeltaWindow + 2*forgetInterval) // the delta forgets
		synctest.Wait()
		if r.Current() == s || len(woken) > 0 {
			t.Fatalf("%d readers were woken when the delta forgot, want none", len(woken))
		}
		r.add(1)
		synctest.Wait()
		if len(woken) != cap(woken) {
			t.Fatalf("%d readers were woken by a change, want %d", len(woken), cap(woken))
		}
		for range cap(woken) {
			if changes := <-woken; len(changes) != 1 || changes[0].Kind != KindUp {
				t.Fatalf("a reader saw %d changes, want one instance that came up", len(changes))
			}
		}
	})
}

// TestChangesRebuildTheList follows the feed through random steps, with a reader
// that knows nothing but the changes.
func TestChangesRebuildTheList(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			st := newStore(0, 3)
			at, known := st.Token(), map[string]*eureka.Instance{}
			for range 300 {
				for range rnd.IntN(4) {
					n := rnd.IntN(6)
					inst := pod(n, 3)
					inst.Status = eureka.Statuses[rnd.IntN(len(eureka.Statuses))]
					if rnd.IntN(3) == 0 {
						inst = nil
					}
					st.say(n, inst)
				}
				st.publish()
				changes, ok := st.Since(at)
				if !ok {
					t.Fatal("the changes since the snapshot before are unknown")
				}
				at = st.Token()
				for _, c := range changes {
					if known[c.Instance.ID] != c.Before {
						t.Fatalf("change %d of %s has Before = %v, want what was listed: %v", c.Sequence, c.Instance.ID, c.Before, known[c.Instance.ID])
					}
					known[c.Instance.ID] = c.Instance
					if c.Instance.ActionType == eureka.ActionDeleted {
						delete(known, c.Instance.ID)
					}
				}
				listed := map[string]*eureka.Instance{}
				st.Each(func(a *eureka.Application) {
					for _, inst := range a.Instances {
						listed[inst.ID] = inst
					}
				})
				if !maps.Equal(listed, known) {
					t.Fatalf("who followed the changes knows %v, want %v", known, listed)
				}
			}
		})
	}
}

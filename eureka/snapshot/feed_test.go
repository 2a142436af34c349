package snapshot

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// say makes an instance all that is said of the n-th pod, none for a nil one.
func (st *store) say(n int, inst *eureka.Instance) {
	var claims []registry.Claim
	if inst != nil {
		claims = append(claims, registry.Listed(inst))
	}
	st.registry.Replace(registry.OwnerPod, fmt.Sprint(n), claims...)
}

// as is the n-th pod of two applications with another status.
func as(n int, status eureka.Status) *eureka.Instance {
	inst := pod(n, 2)
	inst.Status = status
	return inst
}

// told says what changes there were since a token: sequence, kind, id, action.
func (st *store) told(t *testing.T, since Token) []string {
	t.Helper()
	changes, ok := st.Since(since)
	if !ok {
		t.Fatalf("Since(%v) knows nothing, want the changes", since)
	}
	var lines []string
	for _, c := range changes {
		lines = append(lines, fmt.Sprintln(c.Sequence, c.Kind, c.Instance.IPAddr, c.Instance.ActionType))
	}
	return lines
}

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
			st := newStore(0, 2)
			if tt.before != nil {
				st = &store{registry.New(time.Now), newSnapshot(1)}
				st.say(0, tt.before)
				st.publish()
			}
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

func TestFeedIsBounded(t *testing.T) {
	t.Run("by time", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			st := newStore(0, 2)
			start := st.Token()
			st.say(0, as(0, eureka.StatusUp))
			st.publish()
			time.Sleep(registry.DeltaWindow)
			st.say(1, as(1, eureka.StatusUp))
			st.publish()
			if _, ok := st.Since(start); !ok {
				t.Error("a change is unknown three minutes later")
			}
			time.Sleep(time.Nanosecond)
			st.say(2, as(2, eureka.StatusUp))
			st.publish()
			if _, ok := st.Since(start); ok {
				t.Error("a change is known after more than three minutes")
			}
			if changes, ok := st.Since(Token{start.Epoch, 1}); !ok || len(changes) != 2 {
				t.Errorf("%d later changes are known (%v), want 2", len(changes), ok)
			}
		})
	})
	t.Run("by number", func(t *testing.T) {
		st := newStore(0, 1)
		start := st.Token()
		for n := range maxChanges + 1 {
			st.say(n, pod(n, 10))
		}
		st.publish()
		if _, ok := st.Since(start); ok {
			t.Errorf("%d changes are known, want %d at most", maxChanges+1, maxChanges)
		}
		if changes, ok := st.Since(Token{start.Epoch, 1}); !ok || len(changes) != maxChanges {
			t.Errorf("%d changes are known (%v), want %d", len(changes), ok, maxChanges)
		}
	})
}

func TestDocumentsOfAChange(t *testing.T) {
	st := newStore(0, 2)
	start := st.Token()
	odd := pod(0, 2)
	odd.Metadata = map[string]string{"odd": "two\nlines\r\nand\u2028more"}
	st.say(0, odd)
	st.publish()
	st.say(0, nil)
	st.publish()
	changes, _ := st.Since(start)
	tests := []struct {
		name string
		text []byte
		want eureka.ActionType
	}{
		{"up", changes[0].Document(), eureka.ActionAdded},
		{"up, for those who follow it no more", changes[0].Removal(), eureka.ActionDeleted},
		{"down", changes[1].Document(), eureka.ActionDeleted},
		{"down, for those who follow it no more", changes[1].Removal(), eureka.ActionDeleted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if strings.ContainsAny(string(tt.text), "\r\n") {
				t.Errorf("document = %q, want one line", tt.text)
			}
			got, err := codec.DecodeInstance(codec.JSON, tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(got.Metadata, odd.Metadata) || !strings.Contains(string(tt.text), `"actionType":"`+string(tt.want)+`"`) {
				t.Errorf("document = %s, want %s", tt.text, tt.want)
			}
		})
	}
	if a, b := changes[0].Document(), changes[0].Document(); &a[0] != &b[0] {
		t.Error("a change was encoded twice")
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

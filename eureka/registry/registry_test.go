package registry

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

// clock is a clock that a test moves.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.UnixMilli(1_700_000_000_000)} }

func (c *clock) now() time.Time { return c.at }

// up is an instance of app that registered at the given millisecond.
func up(app, id string, registered int64) *eureka.Instance {
	return &eureka.Instance{
		ID: id, App: app, HostName: id, IPAddr: id, Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		LastUpdatedTimestamp: registered, LastDirtyTimestamp: registered,
		Lease: eureka.Lease{RegistrationTimestamp: registered},
	}
}

// view is what a reader of Drain knows: it applies changes as the publisher does.
type view struct {
	listed, recent map[string][]*eureka.Instance
	census         eureka.Census
}

func newView() *view {
	return &view{map[string][]*eureka.Instance{}, map[string][]*eureka.Instance{}, eureka.Census{}}
}

func (v *view) drain(r *Registry) Changes {
	ch := r.Drain()
	v.census = ch.Census
	for _, a := range ch.Apps {
		if a.ListedChanged {
			set(v.listed, a.Name, a.Instances)
		}
		set(v.recent, a.Name, a.Recent)
	}
	return ch
}

func set(m map[string][]*eureka.Instance, name string, instances []*eureka.Instance) {
	if len(instances) == 0 {
		delete(m, name)
		return
	}
	m[name] = instances
}

// short says what a list holds: app/id action, in order.
func short(m map[string][]*eureka.Instance) []string {
	var lines []string
	for _, instances := range m {
		for _, i := range instances {
			lines = append(lines, fmt.Sprintf("%s/%s %s", i.App, i.ID, i.ActionType))
		}
	}
	slices.Sort(lines)
	return lines
}

func TestReplace(t *testing.T) {
	tests := []struct {
		name           string
		do             func(r *Registry, c *clock)
		listed, recent []string
		hash           string
	}{
		{
			name: "a new instance is ADDED",
			do: func(r *Registry, _ *clock) {
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
			},
			listed: []string{"CART/1 ADDED"}, recent: []string{"CART/1 ADDED"}, hash: "UP_1_",
		},
		{
			name: "a changed one is MODIFIED, once in the delta",
			do: func(r *Registry, _ *clock) {
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
				changed := up("CART", "1", 5)
				changed.Status = eureka.StatusDown
				r.Replace(OwnerPod, "a", Listed(changed))
			},
			listed: []string{"CART/1 MODIFIED"}, recent: []string{"CART/1 MODIFIED"}, hash: "DOWN_1_",
		},
		{
			name: "one that comes back is ADDED",
			do: func(r *Registry, _ *clock) {
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
				r.Replace(OwnerPod, "a")
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 6)))
			},
			listed: []string{"CART/1 ADDED"}, recent: []string{"CART/1 ADDED"}, hash: "UP_1_",
		},
		{
			name: "the last instance takes its app with it",
			do: func(r *Registry, _ *clock) {
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
				r.Replace(OwnerPod, "a")
			},
			recent: []string{"CART/1 DELETED"},
		},
		{
			name: "another id under the same key ends the first",
			do: func(r *Registry, _ *clock) {
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
				r.Replace(OwnerPod, "a", Listed(up("CART", "2", 6)))
			},
			listed: []string{"CART/2 ADDED"}, recent: []string{"CART/1 DELETED", "CART/2 ADDED"}, hash: "UP_1_",
		},
		{
			name: "changes leave the delta after three minutes",
			do: func(r *Registry, c *clock) {
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
				r.Replace(OwnerPod, "b", Listed(up("SHOP", "1", 5)))
				r.Replace(OwnerPod, "b")
				c.at = c.at.Add(DeltaWindow + time.Millisecond)
				r.Forget()
			},
			listed: []string{"CART/1 ADDED"}, hash: "UP_1_",
		},
		{
			name: "a later change keeps an entry in the delta",
			do: func(r *Registry, c *clock) {
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
				c.at = c.at.Add(DeltaWindow)
				r.Replace(OwnerPod, "a")
				c.at = c.at.Add(time.Second)
				r.Forget()
			},
			recent: []string{"CART/1 DELETED"},
		},
		{
			name: "an unknown key withdraws nothing",
			do: func(r *Registry, _ *clock) {
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
				r.Replace(OwnerPod, "b")
				r.Replace("lease", "a")
			},
			listed: []string{"CART/1 ADDED"}, recent: []string{"CART/1 ADDED"}, hash: "UP_1_",
		},
		{
			name: "of two pods with one address the later one is listed, and the other when it ends",
			do: func(r *Registry, _ *clock) {
				r.Replace(OwnerPod, "new", Listed(up("CART", "1", 9)))
				r.Replace(OwnerPod, "old", Listed(up("CART", "1", 5)))
				r.Replace(OwnerPod, "new")
			},
			listed: []string{"CART/1 ADDED"}, recent: []string{"CART/1 ADDED"}, hash: "UP_1_",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newClock()
			r := New(c.now)
			tt.do(r, c)
			v := newView()
			v.drain(r)
			if diff := cmp.Diff(tt.listed, short(v.listed)); diff != "" {
				t.Errorf("listed (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.recent, short(v.recent)); diff != "" {
				t.Errorf("recent (-want +got):\n%s", diff)
			}
			if got := v.census.HashCode(); got != tt.hash {
				t.Errorf("hash = %q, want %q", got, tt.hash)
			}
		})
	}
}

func TestFieldCase45_DeletedComesLastInItsApplication(t *testing.T) {
	r := New(newClock().now)
	r.Replace(OwnerPod, "a", Listed(up("CART", "10.0.0.1", 5)))
	r.Drain()
	r.Replace(OwnerPod, "a")
	r.Replace(OwnerPod, "b", Listed(up("CART", "10.0.0.2", 6)))
	ch := r.Drain()
	if len(ch.Apps) != 1 {
		t.Fatalf("changed apps = %v, want CART alone", ch.Apps)
	}
	var got []string
	for _, i := range ch.Apps[0].Recent {
		got = append(got, i.ID+" "+string(i.ActionType))
	}
	if diff := cmp.Diff([]string{"10.0.0.2 ADDED", "10.0.0.1 DELETED"}, got); diff != "" {
		t.Errorf("delta of CART (-want +got):\n%s", diff)
	}
}

func TestReplaceTellsWhetherAClientSeesIt(t *testing.T) {
	r := New(newClock().now)
	v1, changed := r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
	if !changed {
		t.Fatal("Replace of a new instance reported no change")
	}
	select {
	case <-r.Changed():
	default:
		t.Error("Changed did not yield after a change")
	}
	same := up("CART", "1", 99) // other clocks, same description
	v2, changed := r.Replace(OwnerPod, "a", Listed(same))
	if changed || v1 != v2 {
		t.Errorf("Replace by the same description = version %d, changed %v; want version %d, no change", v2, changed, v1)
	}
	select {
	case <-r.Changed():
		t.Error("Changed yielded without a change")
	default:
	}
}

func TestFieldCase52_LastUpdatedTimestampGrows(t *testing.T) {
	c := newClock()
	r := New(c.now)
	v := newView()
	last := int64(0)
	step := func(what string, claims ...Claim) {
		t.Helper()
		r.Replace(OwnerPod, "a", claims...)
		v.drain(r)
		got := v.recent["CART"][0].LastUpdatedTimestamp
		if got <= last {
			t.Errorf("%s: lastUpdatedTimestamp = %d, want more than %d", what, got, last)
		}
		last = got
	}
	stamp := c.at.UnixMilli()
	step("added", Listed(up("CART", "1", stamp)))
	changed := up("CART", "1", stamp)
	changed.Metadata = map[string]string{"version": "1.1"}
	step("modified within the clock's resolution", Listed(changed))
	step("deleted")
	step("back with a clock of whole seconds", Listed(up("CART", "1", stamp-1000)))
}

// TestDeltasRebuildTheList applies every delta to an old copy, as clients do, and
// compares the copy with the full list after each step of a random run.
func TestDeltasRebuildTheList(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			c := newClock()
			r := New(c.now)
			v := newView()
			client := map[string]*eureka.Instance{}
			for range 300 {
				for range rnd.IntN(4) {
					randomStep(rnd, r)
				}
				c.at = c.at.Add(time.Duration(rnd.IntN(60)) * time.Second)
				r.Forget()
				v.drain(r)
				apply(client, v.recent)
				if diff := cmp.Diff(index(v.listed), client); diff != "" {
					t.Fatalf("a client that applied every delta differs (-list +client):\n%s", diff)
				}
				if got, want := v.census.HashCode(), hashOf(v.listed); got != want {
					t.Fatalf("hash = %q, want %q", got, want)
				}
			}
		})
	}
}

func randomStep(rnd *rand.Rand, r *Registry) {
	key := fmt.Sprint("pod-", rnd.IntN(8))
	if rnd.IntN(3) == 0 {
		r.Replace(OwnerPod, key)
		return
	}
	inst := up(fmt.Sprint("APP-", rnd.IntN(3)), fmt.Sprint("id-", rnd.IntN(5)), rnd.Int64N(1000))
	inst.Status = eureka.Statuses[rnd.IntN(len(eureka.Statuses))]
	r.Replace(OwnerPod, key, Listed(inst))
}

func apply(client map[string]*eureka.Instance, delta map[string][]*eureka.Instance) {
	for _, instances := range delta {
		for _, i := range instances {
			if i.ActionType == eureka.ActionDeleted {
				delete(client, i.App+"/"+i.ID)
			} else {
				client[i.App+"/"+i.ID] = i
			}
		}
	}
}

func index(listed map[string][]*eureka.Instance) map[string]*eureka.Instance {
	m := map[string]*eureka.Instance{}
	for _, instances := range listed {
		for _, i := range instances {
			m[i.App+"/"+i.ID] = i
		}
	}
	return m
}

func hashOf(listed map[string][]*eureka.Instance) string {
	var apps []eureka.Application
	for name, instances := range listed {
		apps = append(apps, eureka.Application{Name: name, Instances: instances})
	}
	return eureka.HashCode(apps)
}

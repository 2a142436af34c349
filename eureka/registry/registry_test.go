package registry

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

// replacements are what owners said, and the list, the delta and the hash after it.
type replacements []struct {
	name           string
	do             func(r *Registry, c *clock)
	listed, recent []string
	hash           string
}

func (tests replacements) run(t *testing.T) {
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

func TestReplace(t *testing.T) {
	replacements{
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
	}.run(t)
}

func TestReplaceByKey(t *testing.T) {
	replacements{
		{
			name: "another id under the same key ends the first",
			do: func(r *Registry, _ *clock) {
				r.Replace(OwnerPod, "a", Listed(up("CART", "1", 5)))
				r.Replace(OwnerPod, "a", Listed(up("CART", "2", 6)))
			},
			listed: []string{"CART/2 ADDED"}, recent: []string{"CART/1 DELETED", "CART/2 ADDED"}, hash: "UP_1_",
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
	}.run(t)
}

func TestTheDeltaForgets(t *testing.T) {
	replacements{
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
	}.run(t)
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

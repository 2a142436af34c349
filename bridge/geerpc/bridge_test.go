package geerpc

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestManyServersAtOnce has ten thousand post while others read: what is read is
// always sorted and without doubles, and in the end has all.
func TestManyServersAtOnce(t *testing.T) {
	const writers, each = 500, 20
	b := start(t)
	var posting sync.WaitGroup
	for writer := range writers {
		posting.Go(func() {
			for n := range each {
				if code := b.post(t.Context(), address(writer*each+n)); code != http.StatusOK {
					t.Errorf("POST of %s = %d, want 200", address(writer*each+n), code)
				}
			}
			if writer%10 != 0 {
				return
			}
			list := strings.Split(b.get(t.Context()), ",")
			if !slices.IsSorted(list) || len(slices.Compact(list)) != len(list) {
				t.Error("a list is not sorted or names a server twice")
			}
		})
	}
	posting.Wait()
	b.settle(t.Context(), writers*each)
	if list := strings.Split(b.get(t.Context()), ","); len(list) != writers*each {
		t.Errorf("%d servers are listed, want %d", len(list), writers*each)
	}
}

// TestOneServerPostedByMany is the same words from many connections at once.
func TestOneServerPostedByMany(t *testing.T) {
	b := start(t)
	var posting sync.WaitGroup
	for range 50 {
		posting.Go(func() {
			if code := b.post(t.Context(), address(7)); code != http.StatusOK {
				t.Errorf("POST = %d, want 200", code)
			}
		})
	}
	posting.Wait()
	b.settle(t.Context(), 1)
	if got := b.get(t.Context()); got != address(7) {
		t.Errorf("list = %q, want %q", got, address(7))
	}
}

// TestGetPutsAListTogetherOnce holds that a list which did not change costs what a
// header does, whatever its length.
func TestGetPutsAListTogetherOnce(t *testing.T) {
	b := start(t)
	for n := range 1000 {
		b.post(t.Context(), address(n))
	}
	b.settle(t.Context(), 1000)
	s := b.config.Snapshot()
	b.list.of(s)
	if allocs := testing.AllocsPerRun(100, func() { b.list.of(s) }); allocs != 0 {
		t.Errorf("a list that is known costs %v allocations, want none", allocs)
	}
}

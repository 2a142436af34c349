package lease

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const metadataLimit = 300

// addThird adds a third of what metadata may become to an instance, under key n,
// and reports whether that was taken.
func (r *rig) addThird(app, id string, n int) bool {
	r.t.Helper()
	err := r.UpdateMetadata(app, id, map[string]string{strconv.Itoa(n): strings.Repeat("x", metadataLimit/3-1)})
	var tooLarge *TooLargeError
	if err != nil && (!errors.As(err, &tooLarge) || tooLarge.Limit != metadataLimit) {
		r.t.Errorf("UpdateMetadata = %v, want a *TooLargeError of %d", err, metadataLimit)
	}
	return err == nil
}

// TestMetadataUpdatesAreBounded adds thirds to instances that have a little
// metadata already: two fit. What is not listed now may be later.
func TestMetadataUpdatesAreBounded(t *testing.T) {
	tests := map[string]struct {
		arrive  func(*rig)
		app, id string
	}{
		"lease":                     {func(r *rig) { r.register(registration("A", "i1", metadata("k", "v"))) }, "A", "i1"},
		"application of a pod":      {func(r *rig) { r.pod("ORDERS", podName, podIP, false); r.register(own()) }, "ORDERS", ownID},
		"pod that registered":       {func(r *rig) { r.pod("ORDERS", podName, podIP, false); r.register(own()) }, "ORDERS", podID},
		"pod that never registered": {func(r *rig) { r.pod("ORDERS", podName, podIP, false) }, "ORDERS", podID},
		"pod that is not ready":     {func(r *rig) { r.pod("ORDERS", podName, podIP, true); r.register(own()) }, "ORDERS", ownID},
		"pod that cancelled itself": {func(r *rig) {
			r.pod("ORDERS", podName, podIP, false)
			r.register(own())
			r.well(r.Cancel("ORDERS", ownID, false))
		}, "ORDERS", ownID},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			run(t, Config{MaxMetadata: metadataLimit}, func(r *rig) {
				tt.arrive(r)
				for n := range 2 {
					if !r.addThird(tt.app, tt.id, n) {
						t.Errorf("update %d was refused", n)
					}
				}
				if r.addThird(tt.app, tt.id, 2) && r.addThird(tt.app, tt.id, 3) { // a pod's own metadata may count or not
					t.Error("metadata grew past its bound")
				}
				r.well(r.UpdateMetadata(tt.app, tt.id, map[string]string{"0": "short again"}))
			})
		})
	}
}

func TestMetadataUpdatesAtTheSameTimeAreBounded(t *testing.T) {
	run(t, Config{MaxMetadata: metadataLimit}, func(r *rig) {
		r.register(registration("A", "i1", metadata("k", "v")))
		var taken atomic.Int32
		var all sync.WaitGroup
		for n := range 10 {
			all.Go(func() {
				if r.addThird("A", "i1", n) {
					taken.Add(1)
				}
			})
		}
		all.Wait()
		if got := taken.Load(); got != 2 {
			t.Errorf("%d updates were taken, want 2", got)
		}
	})
}

package snapshot

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestShown(t *testing.T) {
	const holdoff, ceiling = 20 * time.Millisecond, 200 * time.Millisecond
	tests := []struct {
		name   string
		before func(r *running) // what happens before the call
		within time.Duration    // when ctx of the call ends
		want   time.Duration    // how long the call takes
	}{
		{name: "nothing to wait for", before: func(*running) {}, within: time.Minute},
		{name: "a change", before: func(r *running) { r.add(1) }, within: time.Minute},
		{name: "a change that was published", before: func(r *running) { r.add(1); time.Sleep(time.Second) }, within: time.Minute},
		{name: "a client that goes away", before: func(r *running) { r.stop(); r.add(1) }, within: time.Millisecond, want: time.Millisecond},
		{name: "a publisher that has ended", before: func(r *running) { r.stop(); r.add(1) }, within: time.Minute, want: ceiling + patience},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := startPublisher(t, holdoff, ceiling)
				close(r.ready)
				synctest.Wait()
				tt.before(r)
				ctx, cancel := context.WithTimeout(t.Context(), tt.within)
				defer cancel()
				start := time.Now()
				r.Shown(ctx)
				if took := time.Since(start); took != tt.want {
					t.Errorf("Shown took %v, want %v", took, tt.want)
				}
			})
		})
	}
}

func TestShownSeesAChangeDuringABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startPublisher(t, 20*time.Millisecond, 200*time.Millisecond)
		close(r.ready)
		synctest.Wait()
		for n := range 30 {
			time.Sleep(10 * time.Millisecond)
			r.add(n)
			if n != 10 {
				continue
			}
			go func() {
				r.Shown(t.Context())
				if got := r.total(); got < 11 {
					t.Errorf("Shown returned with %d instances listed, want the 11 before the call", got)
				}
			}()
		}
		synctest.Wait()
		time.Sleep(time.Second)
	})
}

func TestShownDoesNotWaitForTheFirstSnapshot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startPublisher(t, 20*time.Millisecond, 200*time.Millisecond)
		r.add(1)
		start := time.Now()
		r.Shown(t.Context())
		if took := time.Since(start); took != 0 {
			t.Errorf("Shown took %v before the first list, want nothing", took)
		}
	})
}

func TestRegistrationsDoNotWaitInAFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startPublisher(t, 20*time.Millisecond, 200*time.Millisecond)
		close(r.ready)
		synctest.Wait()
		shown := func(what string, want bool) {
			t.Helper()
			r.ShownUnlessFlooded(t.Context())
			if got := uint64(r.total()) == r.registry.Version(); got != want {
				t.Errorf("%s: all are shown = %v, want %v", what, got, want)
			}
		}
		n := 0
		for range 3 { // one at a time, each as soon as the one before is answered
			r.add(n)
			n++
			shown("one client", true)
		}
		const pause = floodWindow / (2 * floodChanges) // between changes, twice as many as make a flood
		for range int(time.Second / pause) {
			r.add(n)
			n++
			time.Sleep(pause)
		}
		synctest.Wait() // a publication may be due at this moment
		r.add(n)
		shown("one of thousands", false)
		time.Sleep(time.Second)
		r.add(n + 1)
		shown("the first after a flood", true)
	})
}

// Of many who register over a few connections, as many as there are connections
// are in each snapshot: that alone is no flood by its rate.
func TestSlowSnapshotsOfManyChangesAreAFlood(t *testing.T) {
	const soon, long = floodWindow / 2, 2 * floodWindow
	tests := []struct {
		name    string
		changes uint64 // in each snapshot
		took    time.Duration
		want    bool
	}{
		{name: "one change", changes: 1, took: soon},
		{name: "one change on a busy machine", changes: 1, took: long},
		{name: "one change in no time", changes: 1, took: floodWindow / (10 * floodChanges)},
		{name: "a burst", changes: burst, took: soon},
		{name: "a burst that takes long", changes: burst, took: long, want: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r rate
			var version uint64
			now, got := time.Now(), false
			for range 3 * max(1, int(floodWindow/tt.took)) {
				version, now = version+tt.changes, now.Add(tt.took)
				got = r.flooded(version, now, tt.took)
			}
			if got != tt.want {
				t.Errorf("flooded = %v, want %v", got, tt.want)
			}
		})
	}
}

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
		{name: "a change", before: func(r *running) { r.add(1) }, within: time.Minute, want: holdoff},
		{name: "a change that was published", before: func(r *running) { r.add(1); time.Sleep(time.Second) }, within: time.Minute},
		{name: "a client that goes away", before: func(r *running) { r.add(1) }, within: time.Millisecond, want: time.Millisecond},
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

// While a large registry is published, thousands may register: each would wait
// for the publication to end, and they would come in no faster than that.
func TestShownAtOnceDoesNotWaitForAPublicationUnderWay(t *testing.T) {
	tests := []struct {
		name   string
		coming uint64 // of two versions
		want   time.Duration
	}{
		{name: "that shows the change", coming: 2, want: time.Second},
		{name: "that does not show it", coming: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := startPublisher(t, 20*time.Millisecond, 2*time.Second)
				close(r.ready)
				time.Sleep(time.Second)
				r.stop() // from here on this test publishes
				synctest.Wait()
				r.add(1)
				r.progress.begin(tt.coming)
				r.add(2)
				time.AfterFunc(time.Second, r.progress.reach)
				start := time.Now()
				r.ShownAtOnce(t.Context())
				if took := time.Since(start); took != tt.want {
					t.Errorf("ShownAtOnce took %v, want %v", took, tt.want)
				}
			})
		})
	}
}

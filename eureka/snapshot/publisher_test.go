package snapshot

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// running is a publisher on a clock of its own.
type running struct {
	*Publisher
	registry *registry.Registry
	ready    chan struct{}
	stop     context.CancelFunc
}

func startPublisher(t *testing.T, holdoff, ceiling time.Duration) *running {
	t.Helper()
	reg, ready := registry.New(time.Now), make(chan struct{})
	p := NewPublisher(Config{Registry: reg, Ready: ready, Holdoff: holdoff, MaxHoldoff: ceiling})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- p.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	return &running{p, reg, ready, cancel}
}

func (r *running) add(n int) {
	r.registry.Replace(registry.OwnerPod, fmt.Sprint(n), registry.Listed(pod(n, 3)))
}

func (r *running) total() int { return r.Current().Census().Total() }

func TestNothingIsPublishedBeforeTheFirstCompleteList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startPublisher(t, 20*time.Millisecond, 200*time.Millisecond)
		r.add(1)
		time.Sleep(time.Minute)
		synctest.Wait()
		if r.Current() != nil {
			t.Fatal("a snapshot was published before the registry was ready")
		}
		r.add(2)
		close(r.ready)
		synctest.Wait()
		if r.Current() == nil || r.total() != 2 {
			t.Fatalf("first snapshot = %v, want both instances at once", r.Current())
		}
	})
}

func TestChangesAreGatheredButNotPastTheCeiling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const holdoff, ceiling = 20 * time.Millisecond, 200 * time.Millisecond
		r := startPublisher(t, holdoff, ceiling)
		close(r.ready)
		synctest.Wait()
		r.add(0)
		time.Sleep(holdoff)
		synctest.Wait()
		if r.total() != 1 {
			t.Fatalf("%d instances one holdoff after a change, want 1", r.total())
		}
		start, n := time.Now(), 1
		for r.total() == 1 {
			for range burst { // in each window
				r.add(n)
				n++
			}
			time.Sleep(holdoff / 2)
			synctest.Wait()
			if time.Since(start) > ceiling+holdoff {
				t.Fatal("changes that never pause were not published by the ceiling")
			}
		}
		if waited := time.Since(start); waited < ceiling {
			t.Errorf("changes were published after %v, want them gathered for %v", waited, ceiling)
		}
	})
}

// TestVersionsOfARestartAreNew has a server publish without any holdoff, many
// times within a millisecond, and start again right after.
func TestVersionsOfARestartAreNew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const publications = 500
		before := startPublisher(t, 0, 0)
		close(before.ready)
		synctest.Wait()
		first := before.Current().Version()
		for n := range publications {
			before.add(n)
			synctest.Wait()
		}
		last := before.Current().Version()
		if last != first+publications {
			t.Fatalf("the version moved from %d to %d in %d publications", first, last, publications)
		}
		before.stop()
		time.Sleep(time.Millisecond)
		after := startPublisher(t, 0, 0)
		close(after.ready)
		synctest.Wait()
		if got := after.Current().Version(); got <= last {
			t.Errorf("version after a restart = %d, want more than %d", got, last)
		}
	})
}

func TestAChangeThatComesAloneIsPublishedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const holdoff = 20 * time.Millisecond
		r := startPublisher(t, holdoff, 10*holdoff)
		close(r.ready)
		for n := range 3 {
			time.Sleep(holdoff)
			synctest.Wait()
			r.add(n)
			synctest.Wait()
			if r.total() != n+1 {
				t.Errorf("%d instances at once after change %d, want %d", r.total(), n+1, n+1)
			}
		}
	})
}

func TestPodsThatTurnReadyNowAndThenWaitOneHoldoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const holdoff = 20 * time.Millisecond
		r := startPublisher(t, holdoff, 10*holdoff)
		close(r.ready)
		synctest.Wait()
		for n := range 50 { // as far apart as the holdoff, so that it is never quiet for one
			r.add(n)
			time.Sleep(holdoff)
			synctest.Wait()
			if r.total() < n {
				t.Fatalf("%d instances one holdoff after change %d, want at least %d", r.total(), n+1, n)
			}
		}
	})
}

func TestDeltaForgetsAfterThreeMinutesWithoutFurtherChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startPublisher(t, 0, 0)
		r.add(1)
		close(r.ready)
		synctest.Wait()
		tests := []struct {
			after time.Duration
			want  int
		}{{registry.DeltaWindow, 1}, {registry.DeltaWindow + 2*forgetInterval, 0}}
		start := time.Now()
		for _, tt := range tests {
			time.Sleep(time.Until(start.Add(tt.after)))
			synctest.Wait()
			if got := r.Current().delta.size; got != tt.want {
				t.Errorf("after %v the delta holds %d instances, want %d", tt.after, got, tt.want)
			}
		}
	})
}

// TestReadersNeverWaitForMissingBytes reads a form, changes the registry, and
// looks whether the publisher has encoded that form, and no other, ahead.
func TestFormsThatAreReadAreEncodedAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startPublisher(t, 0, 0)
		close(r.ready)
		synctest.Wait()
		r.Current().Full(codec.JSON, true)
		r.add(1)
		synctest.Wait()
		if got := encoded(r.Current().full, codec.JSON); got != 1 {
			t.Errorf("%d pieces of the form that is read are ready, want 1", got)
		}
		if got := encoded(r.Current().full, codec.XML); got != 0 {
			t.Errorf("%d pieces of a form that nobody reads are ready, want 0", got)
		}
		time.Sleep(keepWarm + time.Second)
		r.add(2)
		synctest.Wait()
		r.add(2 + 3)
		synctest.Wait()
		if got := encoded(r.Current().full, codec.JSON); got != 0 {
			t.Errorf("%d pieces are encoded for nobody a minute after the last read, want 0", got)
		}
	})
}

// encoded counts the pieces whose gzip form is ready.
func encoded(c *collection, f codec.Form) int {
	n := 0
	for _, p := range c.pieces {
		if _, ok := p.zips[f].peek(); ok {
			n++
		}
	}
	return n
}

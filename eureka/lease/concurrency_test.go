package lease

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// TestConcurrentWritesLeaveOneTruth has many goroutines write the same few
// instances while sweeps run, pods come and go, and a reader drains. At the end
// the registry lists what the store holds.
func TestConcurrentWritesLeaveOneTruth(t *testing.T) {
	r := newRig(t, Config{Threshold: 0.85, Ceiling: time.Minute})
	ctx, stop := context.WithCancel(t.Context())
	var background, writers sync.WaitGroup
	background.Go(func() {
		for sweeper := newSweep(r.Store); ctx.Err() == nil; {
			sweeper.run(ctx)
		}
	})
	background.Go(func() {
		for ctx.Err() == nil {
			r.drain()
			_ = r.Stats()
		}
	})
	background.Go(func() {
		for ctx.Err() == nil {
			r.pod("A", "pod", "10.0.0.1", rand.IntN(2) == 0)
			r.endPod("pod")
		}
	})
	for worker := range uint64(8) {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(worker, 7))
			for range 500 {
				r.write(random)
			}
		})
	}
	writers.Wait()
	stop()
	background.Wait()
	r.endPod("pod")
	r.drain()

	held := 0
	for i := range r.shards {
		for k := range r.shards[i].leases {
			held++
			if r.listed[k.app+"/"+k.id] == nil {
				t.Errorf("%s/%s has a lease and is not listed", k.app, k.id)
			}
		}
	}
	if held != len(r.listed) {
		t.Errorf("%d are listed, %d leases are held", len(r.listed), held)
	}
}

// write is one random write.
func (r *rig) write(random *rand.Rand) {
	id := fmt.Sprint("i", random.IntN(6))
	switch random.IntN(8) {
	case 0, 1, 2:
		inst := registration("A", id, at(id, "10.0.0."+id[1:], 8080), dirty(1000+random.Int64N(4)))
		_ = r.Register(r.t.Context(), inst, noAddr, false)
	case 3:
		_ = r.Cancel("A", id, false)
	case 4:
		_ = r.Override("A", id, eureka.StatusDown, Dirty{}, false)
	case 5:
		_ = r.RemoveOverride("A", id, eureka.StatusUp, Dirty{}, false)
	case 6:
		_ = r.UpdateMetadata("A", id, map[string]string{"k": fmt.Sprint(random.IntN(3))})
	default:
		_ = r.Renew("A", id, Renewal{LastDirty: 1002, HasLastDirty: true, Replica: true, OverriddenStatus: eureka.StatusDown})
		_, _ = r.Lease("A", id)
	}
}

// TestRenewalsInTimeAreNeverEvicted races heartbeats against sweeps that find
// their leases overdue: an answer without an error is a promise.
func TestRenewalsInTimeAreNeverEvicted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, Config{})
		sweeper := newSweep(r.Store)
		for range 500 {
			r.register(registration("A", "i1", lasting(1, 2)))
			time.Sleep(2 * time.Second) // it is overdue from here on
			var renewed atomic.Bool
			var racers sync.WaitGroup
			racers.Go(func() { renewed.Store(r.Renew("A", "i1", Renewal{}) == nil) })
			racers.Go(func() { sweeper.run(t.Context()) })
			racers.Wait()
			if _, held := r.Lease("A", "i1"); held != renewed.Load() {
				t.Fatalf("the heartbeat was well: %v, the lease is held: %v", renewed.Load(), held)
			}
		}
	})
}

// TestEvictionLooksAgain: what happened since a sweep found a lease overdue counts.
func TestEvictionLooksAgain(t *testing.T) {
	tests := []struct {
		name      string
		meanwhile func(*rig)
		evicted   bool
	}{
		{name: "nothing", meanwhile: func(*rig) {}, evicted: true},
		{name: "renewed", meanwhile: func(r *rig) { r.well(r.Renew("A", "i1", Renewal{})) }},
		{name: "registered again", meanwhile: func(r *rig) { r.register(registration("A", "i1")) }},
		{name: "cancelled", meanwhile: func(r *rig) { r.well(r.Cancel("A", "i1", false)) }},
		{name: "registered as the application of a pod", meanwhile: func(r *rig) {
			r.pod("A", "pod", "10.9.9.9", false)
			r.shard(keyOf("A", "i1")).setPod(r.shard(keyOf("A", "i1")).leases[keyOf("A", "i1")], "shop/pod/uid")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, Config{})
				r.register(registration("A", "i1", lasting(1, 2)))
				time.Sleep(2 * time.Second)
				found, now := r.shard(keyOf("A", "i1")).leases[keyOf("A", "i1")], r.clock()
				tt.meanwhile(r)
				if got := r.evict(found, now); got != tt.evicted {
					t.Errorf("evicted = %v, want %v", got, tt.evicted)
				}
			})
		})
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := newRig(t, Config{}).Run(ctx); err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
}

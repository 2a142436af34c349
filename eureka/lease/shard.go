package lease

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// shards is how many parts the leases are in, so that heartbeats on many cores
// seldom meet at one lock. A power of two, far more than cores.
const shards = 64

// shard is a part of the leases.
//
// Whoever changes a lease, other than by renewing it, holds writes until the
// registry knows, so that the registry hears of changes in their order. It holds
// mu only while it changes the fields below, so that a heartbeat, which holds
// mu for reading, never waits for the registry. With writes held, leases and
// their instances and overrides may be read without mu; but sweeps change pods
// and kept overrides under mu alone.
type shard struct {
	writes sync.Mutex

	mu     sync.RWMutex // guards all below
	leases map[key]*entry
	kept   map[key]keptOverride

	renewals atomic.Uint64 // ever, in this shard
}

// entry is a lease and who holds it.
type entry struct {
	key
	interval time.Duration // between the renewals that the holder promised
	duration time.Duration // from the last renewal to the end
	renewed  atomic.Int64  // when, by the store's clock, in nanoseconds

	onTime     bool  // it is none of self-preservation's
	registered int64 // when the holder did so last, in milliseconds since 1970

	// The shard's mu guards these; what inst points to never changes.
	inst     *eureka.Instance
	override eureka.Status // that an operator set, empty for none; UNKNOWN may be set
	pod      string        // key of the pod that it is one with, empty for none

	// The shard's writes guards these.
	reported   eureka.Status // by the holder, or given as fallback when an override was removed
	fromHolder bool          // the override came with a registration, not from an operator
}

func (e *entry) renew(now time.Duration) { e.renewed.Store(int64(now)) }

func (e *entry) lastRenewal() time.Duration { return time.Duration(e.renewed.Load()) }

// overdue reports whether the lease is over.
func (e *entry) overdue(now time.Duration) bool { return now-e.lastRenewal() >= e.duration }

// renewalsPerMinute is how many renewals the holder promised.
func (e *entry) renewalsPerMinute() float64 { return float64(time.Minute) / float64(e.interval) }

// keptOverride is the override that the lease of k left when it expired.
func (sh *shard) keptOverride(k key) keptOverride {
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	return sh.kept[k]
}

// put makes e the lease of its key.
func (sh *shard) put(e *entry) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.leases[e.key] = e
	delete(sh.kept, e.key)
}

// set changes what is known of the holder of e, the override by an operator.
func (sh *shard) set(e *entry, inst *eureka.Instance, override eureka.Status) {
	e.fromHolder = false
	sh.mu.Lock()
	defer sh.mu.Unlock()
	e.inst, e.override = inst, override
}

// setPod notes that e is one with a pod, or with none any more.
func (sh *shard) setPod(e *entry, pod string) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	e.pod = pod
}

// podOf is what setPod noted.
func (sh *shard) podOf(e *entry) string {
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	return e.pod
}

// end removes the lease of k and all that is remembered of it, and reports
// whether there was one.
func (sh *shard) end(k key) bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	_, was := sh.leases[k]
	delete(sh.leases, k)
	delete(sh.kept, k)
	return was
}

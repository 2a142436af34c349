package lease

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// Mode says who may register itself.
type Mode string

// The modes of self-registration.
const (
	// ModeOn lets everybody register.
	ModeOn Mode = "on"
	// ModePodsOnly lets the applications of pods register, and nobody else.
	ModePodsOnly Mode = "pods-only"
	// ModeOff refuses every write with ErrOff.
	ModeOff Mode = "off"
)

// Config is what a Store needs.
type Config struct {
	// Registry is told what is to be listed. The store takes its OnLeaseEnd.
	Registry *registry.Registry
	Mode     Mode
	// ClaimNames keeps the names of pods to those pods: their apps, the VIP names in
	// their addresses, and their ids.
	ClaimNames bool
	// Threshold is the share of leases, from 0 to 1, that must not be overdue for
	// leases to expire; 0 switches self-preservation off.
	Threshold float64
	// Ceiling is how long self-preservation lasts at most.
	Ceiling time.Duration
	// EndsOnTime reports whether a lease ends on time whatever self-preservation
	// says, and counts for nothing in it: the holders of such leases cannot cancel
	// them, so that many which are overdue are no sign of an outage. nil is for
	// none. It is called with locks held, for an instance that it must not change.
	EndsOnTime func(inst *eureka.Instance) bool
	// MaxMetadata is how many bytes the keys and values of an instance's metadata
	// may have together after an update; 0 is any number. A registration is bounded
	// by its body.
	MaxMetadata int64
	// Registerer takes the metrics; it may be nil.
	Registerer prometheus.Registerer
}

// Store holds the leases. Its methods may be called by many goroutines at once. What
// comes, goes or is overridden has a line in the log of the context, whose values are
// to say who asked for it; of each of the four kinds there are 100 lines a minute at
// most at verbosity 0.
//
// Apps may be given in any case; ids are matched byte for byte (field cases 36
// and 37).
type Store struct {
	config  Config
	metrics *metrics
	journal journals
	seed    maphash.Seed
	shards  [shards]shard
	started time.Time
	stats   atomic.Pointer[Stats]
}

// NewStore returns an empty Store. Nothing expires until Run.
func NewStore(config Config) *Store {
	s := &Store{config: config, seed: maphash.MakeSeed(), started: time.Now()}
	for i := range s.shards {
		s.shards[i].leases = make(map[key]*entry)
		s.shards[i].kept = make(map[key]keptOverride)
	}
	s.journal.name()
	s.stats.Store(&Stats{})
	s.metrics = newMetrics(s)
	config.Registry.OnLeaseEnd(s.podEnded)
	return s
}

// Lease is the lease of a self-registered instance as it is now; collections
// show it as it was at the last change that clients can see. It reports false
// for what is not here or is one with a pod.
func (s *Store) Lease(app, id string) (eureka.Lease, bool) {
	k := keyOf(app, id)
	sh := s.shard(k)
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	e := sh.leases[k]
	if e == nil || e.pod != "" {
		return eureka.Lease{}, false
	}
	return s.leaseOf(e), true
}

// leaseOf is what a client sees of the lease of e. The caller holds a lock of
// its shard.
func (s *Store) leaseOf(e *entry) eureka.Lease {
	l := e.inst.Lease
	since := s.clock() - e.lastRenewal()
	l.LastRenewalTimestamp = time.Now().Add(-since).UnixMilli()
	return l
}

// clock is the time that leases run by. It never steps, as wall clocks do.
func (s *Store) clock() time.Duration { return time.Since(s.started) }

// key names a lease.
type key struct {
	app, id string
}

func keyOf(app, id string) key { return key{strings.ToUpper(app), id} }

// registryKey is what the registry knows the lease by.
func (k key) registryKey() string { return registry.LeaseKey(k.app, k.id) }

// shard is where the lease of k is, or would be.
func (s *Store) shard(k key) *shard {
	// Instances of one app often share the id's tail and ids are used across
	// apps, so both count.
	h := maphash.String(s.seed, k.app)*31 + maphash.String(s.seed, k.id)
	return &s.shards[h%shards]
}

// tell has the registry list the holder of e, which nobody may change from here
// on. The caller holds the shard's writes.
func (s *Store) tell(e *entry, cause registry.Cause) {
	s.config.Registry.Replace(registry.OwnerLease, e.registryKey(), registry.Claim{
		Instance: e.inst, Endpoints: endpoints(e.inst), Registered: e.registered, Cause: cause,
	})
}

// withdraw ends what the registry was told.
func (s *Store) withdraw(k key, cause registry.Cause) {
	s.config.Registry.End(registry.OwnerLease, k.registryKey(), cause)
}

// pod is the key of the pod that app and id name, empty for none.
func (s *Store) pod(k key) string {
	rec, _ := s.config.Registry.Lookup(k.app, k.id)
	return rec.PodKey
}

// podOfLease is the key of the pod that the lease of k is one with, empty for
// none: a stranger's lease may bear the id of a pod.
func (s *Store) podOfLease(k key) string {
	return s.config.Registry.PodOfLease(k.app, k.id)
}

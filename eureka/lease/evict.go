package lease

import (
	"time"

	"github.com/eurekube/eurekube/eureka/registry"
)

// evict ends the lease of e unless it was renewed, or ended, since it was found
// overdue at now. Its override is kept for a while.
func (s *Store) evict(e *entry, now time.Duration) bool {
	sh := s.shard(e.key)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	if !sh.evict(e, now) {
		return false
	}
	s.withdraw(e.key, registry.CauseExpired)
	return true
}

// evict holds mu, which no renewal can hold at the same time: either the renewal
// is seen here, or it comes too late and finds nothing.
func (sh *shard) evict(e *entry, now time.Duration) bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.leases[e.key] != e || e.pod != "" || !e.overdue(now) {
		return false
	}
	delete(sh.leases, e.key)
	if e.override != "" {
		sh.kept[e.key] = keptOverride{e.override, now + overrideRetention}
	}
	return true
}

// endForeign ends the lease of e if it has a name that belongs to pods where it
// is not reached, and says which.
func (s *Store) endForeign(e *entry) (registry.Name, bool) {
	sh := s.shard(e.key)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	if sh.leases[e.key] != e || s.podOfLease(e.key) != "" {
		return registry.Name{}, false
	}
	name, foreign := s.foreign(e.inst)
	if foreign {
		sh.end(e.key)
		s.withdraw(e.key, registry.CauseNameClaimed)
	}
	return name, foreign
}

// renewed renews the lease of k and returns it, nil when there is none.
func (sh *shard) renewed(k key, now time.Duration) *entry {
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	e := sh.leases[k]
	if e != nil {
		e.renew(now)
	}
	return e
}

// forgetOverrides drops the kept overrides whose time is over and returns how
// many are left.
func (sh *shard) forgetOverrides(now time.Duration) int {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for k, kept := range sh.kept {
		if now >= kept.until {
			delete(sh.kept, k)
		}
	}
	return len(sh.kept)
}

package lease

import (
	"context"

	"github.com/eurekube/eurekube/eureka"
)

// Renewal is what a heartbeat may carry.
type Renewal struct {
	// LastDirty is the sender's lastDirtyTimestamp in milliseconds since 1970, if
	// HasLastDirty.
	LastDirty    int64
	HasLastDirty bool
	// Replica says that a peer sent it.
	Replica bool
	// OverriddenStatus is the override that a peer knows of, empty for none.
	OverriddenStatus eureka.Status
}

// Renew keeps a lease alive. It changes nothing that a client can see (field case
// 89), takes no lock that many heartbeats share, and allocates nothing. The
// heartbeats of a pod's application are well and change nothing at all.
//
// ErrNotFound: there is no such lease, the sender's copy is newer, or the status
// is UNKNOWN, which only a registration ends. *ConflictError: a peer's copy is
// older. In the cases of an older or newer copy the lease was renewed (protocol
// section 5.3).
func (s *Store) Renew(ctx context.Context, app, id string, r Renewal) error {
	if s.config.Mode == ModeOff {
		return ErrOff
	}
	k := keyOf(app, id)
	switch s.renew(k, r) {
	case renewalWell:
		return nil
	case renewalOlder:
		return s.conflict(k)
	case renewalNewer:
		if r.adopts() {
			s.adopt(ctx, k, r.OverriddenStatus)
		}
	case renewalAbsent:
		if s.pod(k) != "" {
			return nil
		}
	}
	return ErrNotFound
}

// renewal is what became of a heartbeat.
type renewal int

const (
	renewalWell    renewal = iota
	renewalAbsent          // no such lease
	renewalRefused         // the status is UNKNOWN: not renewed
	renewalNewer           // renewed, but the sender's copy is newer
	renewalOlder           // renewed, but the peer's copy is older
)

// renew renews the lease of k, if there is one that a heartbeat can renew.
func (s *Store) renew(k key, r Renewal) renewal {
	sh := s.shard(k)
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	e := sh.leases[k]
	switch {
	case e == nil:
		return renewalAbsent
	case e.pod != "":
		return renewalWell
	case e.inst.Status == eureka.StatusUnknown:
		return renewalRefused
	}
	e.renew(s.clock())
	sh.renewals.Add(1)
	ours := e.inst.LastDirtyTimestamp
	switch {
	case r.HasLastDirty && r.LastDirty > ours:
		return renewalNewer
	case r.HasLastDirty && r.LastDirty < ours && r.Replica:
		return renewalOlder
	}
	return renewalWell
}

// conflict tells a peer what we have of the holder of k.
func (s *Store) conflict(k key) error {
	sh := s.shard(k)
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	e := sh.leases[k]
	if e == nil { // ended meanwhile
		return ErrNotFound
	}
	ours := e.inst.Clone()
	ours.Lease = s.leaseOf(e)
	return &ConflictError{ours}
}

// adopts reports whether a peer tells of an override that we may lack.
func (r Renewal) adopts() bool {
	return r.Replica && r.OverriddenStatus != "" && r.OverriddenStatus != eureka.StatusUnknown
}

package lease

import (
	"cmp"
	"context"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// overrideRetention is how long the override of an instance whose lease expired
// waits for it to come back, from when the lease ended: self-preservation may
// keep a lease for longer than this, and what it spared must not be lost at its
// end (protocol section 5.1, field case 93).
const overrideRetention = time.Hour

// Dirty is the lastDirtyTimestamp that a request may carry, in milliseconds since
// 1970.
type Dirty struct {
	Timestamp int64
	Given     bool
}

// keptOverride is the override of an instance whose lease expired.
type keptOverride struct {
	status eureka.Status
	until  time.Duration // by the store's clock
}

// orExpired is the override, empty when its time is over or there is none.
func (k keptOverride) orExpired(now time.Duration) eureka.Status {
	if now >= k.until {
		return ""
	}
	return k.status
}

// effective is what a client sees of an instance that reports a status, under an
// override: that it is down, starting or unknown is believed (protocol section
// 5.7, without its rule 4: the latest report wins, field case 95).
func effective(reported, override eureka.Status) eureka.Status {
	if override == "" || reported != eureka.StatusUp && reported != eureka.StatusOutOfService {
		return reported
	}
	return override
}

// Override sets the status that an operator gives an instance. It renews the
// lease. One that equals the current status stores nothing, so that the instance
// may change its status afterwards (protocol section 5.8). The override of a pod
// is the registry's to keep. A dirty timestamp newer than ours becomes ours;
// whether a peer sent it makes no difference here. ErrNotFound: no such instance.
func (s *Store) Override(ctx context.Context, app, id string, status eureka.Status, dirty Dirty, replica bool) error {
	if s.config.Mode == ModeOff {
		return ErrOff
	}
	k := keyOf(app, id)
	if rec := s.named(k); rec.PodKey != "" {
		if rec.Listed != nil && rec.Listed.Status == status {
			return nil
		}
		known, changed := s.config.Registry.OverridePod(rec.PodKey, status)
		s.noteOverride(ctx, changed, k, rec.PodKey, status)
		if !known {
			return ErrNotFound // the pod ended meanwhile
		}
		return nil
	}
	changed, err := s.change(k, func(e *entry) (*eureka.Instance, eureka.Status) {
		if e.inst.Status == status {
			return nil, ""
		}
		return restated(e.inst, status, status, dirty), status
	})
	s.noteOverride(ctx, changed, k, "", status)
	return err
}

// noteOverride logs that an operator gave k, which is one with pod, a status.
func (s *Store) noteOverride(ctx context.Context, changed bool, k key, pod string, status eureka.Status) {
	if changed {
		note(ctx, &s.journal.overridden, k, pod, "Overrode the status of an instance", "status", status)
	}
}

// RemoveOverride takes an operator's status away. It renews the lease. The status
// becomes fallback, or UNKNOWN for an empty one: then heartbeats are refused until
// the client registers again, which is how the real status comes back (protocol
// section 5.8). A pod falls back to what its readiness says (field case 90). It
// is well when there was no override. ErrNotFound: no such instance.
func (s *Store) RemoveOverride(ctx context.Context, app, id string, fallback eureka.Status, dirty Dirty, replica bool) error {
	if s.config.Mode == ModeOff {
		return ErrOff
	}
	k := keyOf(app, id)
	if rec := s.named(k); rec.PodKey != "" {
		_, changed := s.config.Registry.OverridePod(rec.PodKey, "")
		if changed {
			note(ctx, &s.journal.overridden, k, rec.PodKey, "Removed the override of an instance")
		}
		return nil
	}
	status := cmp.Or(fallback, eureka.StatusUnknown)
	changed, err := s.change(k, func(e *entry) (*eureka.Instance, eureka.Status) {
		if e.override == "" {
			return nil, ""
		}
		e.reported = cmp.Or(fallback, e.reported)
		return restated(e.inst, status, eureka.StatusUnknown, dirty), ""
	})
	if changed {
		note(ctx, &s.journal.overridden, k, "", "Removed the override of an instance", "status", status)
	}
	return err
}

// adopt takes over an override that a peer knows of.
func (s *Store) adopt(ctx context.Context, k key, override eureka.Status) {
	// What a peer tells of a lease that ended meanwhile is of no use.
	changed, _ := s.change(k, func(e *entry) (*eureka.Instance, eureka.Status) {
		if e.override == override {
			return nil, ""
		}
		return restated(e.inst, effective(e.inst.Status, override), override, Dirty{}), override
	})
	s.noteOverride(ctx, changed, k, "", override)
}

// restated is inst with another status and overridden status.
func restated(inst *eureka.Instance, status, overridden eureka.Status, dirty Dirty) *eureka.Instance {
	next := *inst
	next.Status, next.OverriddenStatus = status, overridden
	next.LastUpdatedTimestamp = time.Now().UnixMilli()
	if dirty.Given {
		next.LastDirtyTimestamp = max(next.LastDirtyTimestamp, dirty.Timestamp)
	}
	markUp(&next, next.LastUpdatedTimestamp)
	return &next
}

// change renews the lease of k and replaces its instance and override by what
// decide makes of it, unless that is nil: then nothing changed.
func (s *Store) change(k key, decide func(*entry) (*eureka.Instance, eureka.Status)) (changed bool, err error) {
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	e := sh.renewed(k, s.clock())
	if e == nil {
		return false, ErrNotFound
	}
	inst, override := decide(e)
	if inst == nil {
		return false, nil
	}
	sh.set(e, inst, override)
	s.tell(e, registry.CauseOverride)
	return true, nil
}

package lease

import (
	"maps"

	"github.com/eurekube/eurekube/eureka/registry"
)

// UpdateMetadata merges metadata into an instance, which begins its lease anew
// but is no newer than before, so that the client's next registration replaces it
// (protocol section 5.9). A pod keeps the entries until it ends, and its own keys
// win. The errors are ErrNotFound for no such instance, a *TooLargeError, and
// ErrOff; none changes anything.
func (s *Store) UpdateMetadata(app, id string, metadata map[string]string) error {
	if s.config.Mode == ModeOff {
		return ErrOff
	}
	k := keyOf(app, id)
	if pod := s.pod(k); pod != "" {
		known, err := s.config.Registry.UpdatePodMetadata(pod, metadata, func(all map[string]string) error {
			return s.config.checkSize(all)
		})
		if !known {
			return ErrNotFound // it ended meanwhile
		}
		return err
	}
	return s.merge(k, metadata)
}

// merge updates the metadata of a lease. That is no registration: of several leases
// of one pod the one that registered last counts.
func (s *Store) merge(k key, metadata map[string]string) error {
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	before := sh.leases[k]
	if before == nil {
		return ErrNotFound
	}
	inst := before.inst.Clone()
	if inst.Metadata == nil {
		inst.Metadata = make(map[string]string, len(metadata))
	}
	maps.Copy(inst.Metadata, metadata)
	if err := s.config.checkSize(inst.Metadata); err != nil {
		return err
	}
	s.begin(sh, &entry{key: k, inst: inst, reported: before.reported, registered: before.registered}, before, inst.Lease, registry.CauseMetadata)
	return nil
}

package lease

import (
	"maps"

	"github.com/eurekube/eurekube/eureka"
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
	if done, err := s.merge(k, metadata); done || err != nil {
		return err
	}
	rec, _ := s.config.Registry.Lookup(k.app, k.id)
	if rec.PodKey == "" {
		return ErrNotFound
	}
	if rec.LeaseKey != "" { // its application registered with a lease of another id
		app, id := registry.SplitLeaseKey(rec.LeaseKey)
		if done, err := s.merge(key{app, id}, metadata); done || err != nil {
			return err
		}
	}
	return s.annotate(rec, metadata)
}

// merge updates the metadata of a lease and reports true, unless there is none of
// k.
func (s *Store) merge(k key, metadata map[string]string) (bool, error) {
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	e := sh.leases[k]
	if e == nil {
		return false, nil
	}
	next := e.inst.Clone()
	if next.Metadata == nil {
		next.Metadata = make(map[string]string, len(metadata))
	}
	maps.Copy(next.Metadata, metadata)
	if err := s.config.checkSize(next.Metadata); err != nil {
		return false, err
	}
	s.begin(sh, k, next, e)
	return true, nil
}

// annotate makes a lease for a pod whose application never registered, to hold
// metadata. It says nothing but UP, so that the pod's own status rules.
func (s *Store) annotate(rec registry.Record, metadata map[string]string) error {
	if rec.Listed == nil {
		return ErrNotFound
	}
	if err := s.config.checkSize(rec.Listed.Metadata, metadata); err != nil {
		return err
	}
	inst := rec.Listed.Clone()
	inst.Status, inst.OverriddenStatus = eureka.StatusUp, eureka.StatusUnknown
	inst.Metadata = maps.Clone(metadata)
	inst.ActionType = ""

	k := key{rec.App, rec.ID}
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	s.begin(sh, k, inst, sh.leases[k])
	sh.setPod(sh.leases[k], rec.PodKey)
	return nil
}

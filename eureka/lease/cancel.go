package lease

import "github.com/eurekube/eurekube/eureka/registry"

// Cancel ends a lease and forgets its override (field case 93). For the
// application of a pod it takes the pod out of the list until the application
// registers again or the pod is replaced (field case 87). Whether a peer sent it
// makes no difference here. ErrNotFound: there was no lease.
func (s *Store) Cancel(app, id string, replica bool) error {
	if s.config.Mode == ModeOff {
		return ErrOff
	}
	k := keyOf(app, id)
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	if pod := s.pod(k); pod != "" {
		// Its lease stays, so that late heartbeats are answered well: a 404 would
		// make the closing application register again.
		s.config.Registry.CancelPod(pod)
		return nil
	}
	if !sh.end(k) {
		return ErrNotFound
	}
	s.withdraw(k)
	return nil
}

// podEnded is called by the registry when a pod is gone with which a lease was
// one.
func (s *Store) podEnded(registryKey string) {
	app, id := registry.SplitLeaseKey(registryKey)
	k := key{app, id}
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	sh.end(k)
	// Since the registry ended its claim we may have told it of the lease again.
	s.withdraw(k)
}

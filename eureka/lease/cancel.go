package lease

import (
	"context"

	"github.com/eurekube/eurekube/eureka/registry"
)

// Cancel ends a lease and forgets its override (field case 93). For the
// application of a pod it takes the pod out of the list until the application
// registers again or the pod is replaced (field case 87). Whether a peer sent it
// makes no difference here. ErrNotFound: there was no lease.
func (s *Store) Cancel(ctx context.Context, app, id string, replica bool) error {
	if s.config.Mode == ModeOff {
		return ErrOff
	}
	k := keyOf(app, id)
	pod, ended, err := s.cancel(k)
	if ended {
		note(ctx, &s.journal.cancelled, k, pod, "Cancelled an instance")
	}
	return err
}

// cancel ends the lease of k, or takes the pod that k names out of the list, and
// reports whether that had not happened before.
func (s *Store) cancel(k key) (pod string, ended bool, err error) {
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	pod = s.podOfLease(k)
	if sh.leases[k] == nil {
		pod = s.pod(k)
	}
	if pod != "" {
		// Its lease stays, so that late heartbeats are answered well: a 404 would
		// make the closing application register again.
		return pod, s.config.Registry.CancelPod(pod), nil
	}
	if !sh.end(k) {
		return "", false, ErrNotFound
	}
	s.withdraw(k, registry.CauseCancelled)
	return "", true, nil
}

// podEnded is called by the registry for a lease that was one with a pod when the
// pod is gone or has too many.
func (s *Store) podEnded(registryKey, podKey string) {
	app, id := registry.SplitLeaseKey(registryKey)
	k := key{app, id}
	sh := s.shard(k)
	sh.writes.Lock()
	defer sh.writes.Unlock()
	// Since the registry ended its claim it may have been told of the lease again:
	// by a registration, which makes it another's, or by a change of the old one.
	if e := sh.leases[k]; e == nil || sh.podOf(e) != podKey && s.config.Registry.HasLease(registryKey) {
		return
	}
	sh.end(k)
	s.withdraw(k, registry.CauseCancelled)
}

package lease

import (
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// join makes e, which the registry found to be one with a pod, that pod's: what an
// operator set on the lease becomes the pod's override, as if the pod had been
// seen first, and of the holder counts what it reports (field cases 90 and 91).
// It does nothing if that changed meanwhile.
func (s *Store) join(sh *shard, e *entry, pod string) {
	sh.writes.Lock()
	defer sh.writes.Unlock()
	if sh.leases[e.key] != e || s.podOfLease(e.key) != pod {
		return
	}
	sh.setPod(e, pod)
	s.handOver(e, pod)
	if e.override == "" && e.inst.Status == e.reported {
		return
	}
	inst := restated(e.inst, e.reported, eureka.StatusUnknown, Dirty{})
	sh.set(e, inst, "")
	s.tell(e, registry.CauseOverride)
}

// handOver gives a pod the override that an operator set on e, which is one with
// it. What the holder brought stays behind: a pod's application has no say in it,
// whichever of the two came first.
func (s *Store) handOver(e *entry, pod string) {
	if e.override != "" && !e.fromHolder {
		s.config.Registry.InheritOverride(pod, e.override)
	}
}

// named is the record that app and id name, with all that operators set on it in
// the registry if it is a pod's.
func (s *Store) named(k key) registry.Record {
	rec, _ := s.config.Registry.Lookup(k.app, k.id)
	if rec.PodKey == "" {
		return rec
	}
	for _, name := range s.config.Registry.LeasesOfPod(rec.PodKey) {
		app, id := registry.SplitLeaseKey(name)
		k := key{app, id}
		sh := s.shard(k)
		sh.mu.RLock()
		e := sh.leases[k]
		sh.mu.RUnlock()
		if e != nil {
			s.join(sh, e, rec.PodKey)
		}
	}
	rec, _ = s.config.Registry.Lookup(k.app, k.id)
	return rec
}

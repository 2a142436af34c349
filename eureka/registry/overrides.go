package registry

import (
	"maps"

	"github.com/eurekube/eurekube/eureka"
)

// OverridePod sets the status that an operator gives a pod; the empty one takes
// it away. It ends with the pod: one of a pod that nobody speaks of is not taken,
// and then known is false. changed is false when the pod had it already, or had none
// to take away.
func (r *Registry) OverridePod(podKey string, status eureka.Status) (known, changed bool) {
	changed = r.setOfPod(podKey, CauseOverride, func() bool {
		known = r.isPod(podKey)
		if r.overrides[podKey] == status || status != "" && !known {
			return false
		}
		r.setOverride(podKey, status)
		wake(r.overridesChanged)
		return true
	})
	return known, changed
}

// setOverride sets an override or, if status is empty, takes it away. The caller
// holds the lock.
func (r *Registry) setOverride(podKey string, status eureka.Status) {
	if status == "" {
		delete(r.overrides, podKey)
		return
	}
	r.overrides[podKey] = status
}

// InheritOverride gives a pod the override that an operator set on the lease of
// its application before the two were known to be one. An override that the pod
// has stays.
func (r *Registry) InheritOverride(podKey string, status eureka.Status) {
	r.setOfPod(podKey, CauseOverride, func() bool {
		if _, set := r.overrides[podKey]; set || !r.isPod(podKey) {
			return false
		}
		r.overrides[podKey] = status
		wake(r.overridesChanged)
		return true
	})
}

// PodOverrides returns the overrides of pods by pod key, to be kept elsewhere.
func (r *Registry) PodOverrides() map[string]eureka.Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.overrides)
}

// OverridesChanged yields when PodOverrides differs from before.
func (r *Registry) OverridesChanged() <-chan struct{} {
	return r.overridesChanged
}

// AdoptOverride takes over that the override of a pod changed elsewhere from was to
// is, empty for none: another replica changed it, or it was kept while this server
// was not there, when the pod is yet to be seen. It does nothing if the override was
// changed here meanwhile, and OverridesChanged does not yield: whoever keeps overrides
// knows.
func (r *Registry) AdoptOverride(podKey string, was, is eureka.Status) {
	r.setOfPod(podKey, CauseOverride, func() bool {
		if r.overrides[podKey] != was {
			return false
		}
		r.setOverride(podKey, is)
		return was != is
	})
}

// ForgetAbsentOverrides drops the overrides of pods that nobody speaks of. It is
// for after the first complete list.
func (r *Registry) ForgetAbsentOverrides() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for podKey := range r.overrides {
		if !r.isPod(podKey) {
			delete(r.overrides, podKey)
			wake(r.overridesChanged)
		}
	}
}

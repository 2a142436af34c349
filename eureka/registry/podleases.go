package registry

// leasesPerPod is how many ids the application of one pod may have registered
// with: one, and a few of before it was configured anew. The leases of a pod have
// no clock, so that without a bound whoever registers under ever new ids could
// keep any number alive.
const leasesPerPod = 8

// PodAt is the key of the pod of app, in upper case, that a lease reached at one
// of the endpoints is one with, empty for none.
func (r *Registry) PodAt(app string, where []Endpoint) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.apps[app]
	if a == nil {
		return ""
	}
	home, found := a.podHome(where)
	if !found {
		return ""
	}
	return a.records[home].best(OwnerPod).by.key
}

// PodOfLease is the key of the pod that the lease of id of app, in upper case, is
// one with, empty for none. A lease under the id of a pod that shares no endpoint
// with it is not.
func (r *Registry) PodOfLease(app, id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if a := r.apps[app]; a != nil && a.records[id] != nil && a.records[id].best(OwnerPod) == nil {
		return "" // what is listed by its own id is no pod's; most leases are, and this makes no key
	}
	c := r.lease(LeaseKey(app, id))
	if c == nil || !c.ofPod {
		return ""
	}
	return r.apps[c.Instance.App].records[c.home].best(OwnerPod).by.key
}

// HasLease reports whether OwnerLease says something under a key.
func (r *Registry) HasLease(leaseKey string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lease(leaseKey) != nil
}

// LeasesOfPod are the keys of the leases that are one with a pod, the latest
// first.
func (r *Registry) LeasesOfPod(podKey string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var keys []string
	for _, c := range r.claims[claimKey{OwnerPod, podKey}] {
		if c.Instance == nil {
			continue
		}
		for _, lease := range r.apps[c.Instance.App].records[c.home].leasesOfPod() {
			keys = append(keys, lease.by.key)
		}
	}
	return keys
}

// BoundLeases ends the oldest leases that are one with a pod while there are more
// than eight. The function given to OnLeaseEnd is called for each.
func (r *Registry) BoundLeases(podKey string) {
	u := update{registry: r, cause: CauseRegistered} // one too many
	r.mu.Lock()
	for _, c := range r.claims[claimKey{OwnerPod, podKey}] {
		if c.Instance != nil {
			u.bound(r.apps[c.Instance.App], recordKey{c.Instance.App, c.home})
		}
	}
	u.finish()
	r.mu.Unlock()
	u.tellEnded()
}

// lease is what OwnerLease says under a key, nil for nothing, for callers that
// hold the lock.
func (r *Registry) lease(key string) *claim {
	said := r.claims[claimKey{OwnerLease, key}]
	if len(said) == 0 {
		return nil
	}
	return said[0]
}

// bound ends the leases of a pod's record that are too many.
func (u *update) bound(a *app, rk recordKey) {
	rec := a.records[rk.id]
	if len(rec.claims.list) <= leasesPerPod {
		return
	}
	if leases := rec.leasesOfPod(); len(leases) > leasesPerPod {
		u.touch(rk)
		u.end(a, rec, leases[leasesPerPod:], rec.best(OwnerPod).by.key)
	}
}

// tellEnded tells of the leases that ended. The caller holds no lock.
func (u *update) tellEnded() {
	for _, ended := range u.endedLeases {
		u.registry.leaseEnded(ended.key, ended.podKey)
	}
}

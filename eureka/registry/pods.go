package registry

import (
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// Record is what an id names.
type Record struct {
	// App and ID are what it is listed by.
	App, ID string
	// PodKey is the key of the pod that it is, empty for what only registered
	// itself.
	PodKey string
	// Listed is nil while it is not to be listed.
	Listed *eureka.Instance
}

// Lookup finds a record by its id or by an id that the application of a pod
// registered with. The app is in upper case.
func (r *Registry) Lookup(app, id string) (Record, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.apps[app]
	if a == nil {
		return Record{}, false
	}
	rec := a.records[id]
	if rec == nil {
		alias := r.claims[claimKey{OwnerLease, LeaseKey(app, id)}]
		if len(alias) == 0 {
			return Record{}, false
		}
		id = alias[0].home
		rec = a.records[id]
	}
	found := Record{App: app, ID: id, Listed: rec.listed}
	if pod := rec.best(OwnerPod); pod != nil {
		found.PodKey = pod.by.key
	}
	return found, true
}

// HasPods reports whether app, in upper case, has pods, listed or not.
func (r *Registry) HasPods(app string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	a := r.apps[app]
	return a != nil && len(a.pods) > 0
}

// CancelPod takes a pod out of the list because its application said that it
// ends. It holds until RevivePod or until the pod is replaced (field case 87).
func (r *Registry) CancelPod(podKey string) (changed bool) {
	return r.setOfPod(podKey, CauseCancelled, func() bool {
		if !r.isPod(podKey) || r.isCancelled(podKey) {
			return false
		}
		r.cancelled[podKey] = turn{cancelled: true, at: r.now()}
		return true
	})
}

// RevivePod ends what CancelPod began, because the application registered again, and
// reports whether it had begun.
func (r *Registry) RevivePod(podKey string) (changed bool) {
	return r.setOfPod(podKey, CauseRegistered, func() bool {
		was := r.isCancelled(podKey)
		if was {
			r.cancelled[podKey] = turn{at: r.now()}
		}
		return was
	})
}

// isCancelled is for callers that hold the lock.
func (r *Registry) isCancelled(podKey string) bool {
	return r.cancelled[podKey].cancelled
}

// turn is the last time that an application said that its pod ends, or registered
// again after that.
type turn struct {
	cancelled bool
	at        time.Time
}

// isPod reports whether somebody speaks of a pod, for callers that hold the lock.
func (r *Registry) isPod(podKey string) bool {
	_, known := r.claims[claimKey{OwnerPod, podKey}]
	return known
}

// setOfPod calls set under the lock and merges the pod's records anew if it
// reports a change, as then setOfPod does.
func (r *Registry) setOfPod(podKey string, cause Cause, set func() bool) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !set() {
		return false
	}
	u := update{registry: r, cause: cause}
	for _, c := range r.claims[claimKey{OwnerPod, podKey}] {
		if c.Instance != nil {
			u.touch(recordKey{c.Instance.App, c.home})
		}
	}
	u.finish()
	return true
}

// Pod is what became of a pod beyond what its owner says, for people who look for
// the reason.
type Pod struct {
	// Status is the one that clients see, empty while the pod is not listed.
	Status eureka.Status
	// Override is what OverridePod set, empty for none.
	Override eureka.Status
	// Cancelled says that its application said that it ends, and TurnedAt since when
	// that holds; or since when it does not hold any more, zero if it never did.
	Cancelled bool
	TurnedAt  time.Time
}

// Pod returns what became of a pod; all is zero for one that nobody speaks of.
func (r *Registry) Pod(podKey string) Pod {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.cancelled[podKey]
	pod := Pod{Override: r.overrides[podKey], Cancelled: last.cancelled, TurnedAt: last.at}
	for _, c := range r.claims[claimKey{OwnerPod, podKey}] {
		if c.Instance == nil {
			continue
		}
		rec := r.apps[c.Instance.App].records[c.home]
		if rec.listed != nil && rec.best(OwnerPod) == c {
			pod.Status = rec.listed.Status
		}
	}
	return pod
}

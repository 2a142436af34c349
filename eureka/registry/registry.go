package registry

import (
	"sync"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// Owner is a kind of source that says something of instances.
type Owner string

// OwnerPod says what a Kubernetes pod or a pod manifest is.
const OwnerPod Owner = "pod"

// DeltaWindow is how long a change stays in the delta (protocol section 5.13):
// several of the clients' polling intervals of 30 seconds.
const DeltaWindow = 3 * time.Minute

// Registry is all owners' words and their merger. Its methods may be called by
// many goroutines at once; Drain and Forget by one publisher.
type Registry struct {
	now     func() time.Time
	changed chan struct{}

	mu      sync.Mutex // guards all below
	version uint64
	claims  map[claimKey][]recordKey
	apps    map[string]*app
	census  eureka.Census
	recent  []recentChange  // oldest first
	dirty   map[string]bool // apps that differ from what was drained last: true if listed instances do, not only recent changes
}

// claimKey names one thing that an owner speaks of, such as one pod.
type claimKey struct {
	owner Owner
	key   string
}

// recordKey names a record: the app and the instance id that it is listed by.
type recordKey struct {
	app, id string
}

// app is the records and the recent changes of one application.
type app struct {
	records map[string]*record
	recent  map[string]change
}

// New returns an empty registry that tells the time of removals by now.
func New(now func() time.Time) *Registry {
	return &Registry{
		now:     now,
		changed: make(chan struct{}, 1),
		claims:  make(map[claimKey][]recordKey),
		apps:    make(map[string]*app),
		dirty:   make(map[string]bool),
	}
}

// Replace makes instances all that owner's key says; none ends what it said
// before. The registry takes the instances over: the caller must neither change
// nor pass them again. It returns the registry's version, which counts the
// changes that a client can see, and whether this was one. Instances of one
// call have different app and id.
func (r *Registry) Replace(owner Owner, key string, instances ...*eureka.Instance) (version uint64, changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()

	ck := claimKey{owner, key}
	kept := make([]recordKey, 0, len(instances))
	for _, inst := range instances {
		rk := recordKey{inst.App, inst.ID}
		kept = append(kept, rk)
		changed = r.say(rk, ck, inst) || changed
	}
	for _, rk := range r.claims[ck] {
		if !contains(kept, rk) {
			changed = r.say(rk, ck, nil) || changed
		}
	}
	if len(kept) == 0 {
		delete(r.claims, ck)
	} else {
		r.claims[ck] = kept
	}
	if changed {
		r.wake()
	}
	return r.version, changed
}

func contains(keys []recordKey, key recordKey) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

// say records what ck says of the instance at rk, nil for nothing more, and
// reports whether a client can see a difference.
func (r *Registry) say(rk recordKey, ck claimKey, inst *eureka.Instance) bool {
	a := r.apps[rk.app]
	if a == nil {
		if inst == nil {
			return false
		}
		a = &app{records: make(map[string]*record), recent: make(map[string]change)}
		r.apps[rk.app] = a
	}
	rec := a.records[rk.id]
	if rec == nil {
		if inst == nil {
			return false
		}
		rec = &record{}
		a.records[rk.id] = rec
	}
	rec.say(ck, inst)

	old, merged := rec.listed, merge(rec.claims)
	if merged == nil {
		delete(a.records, rk.id)
		r.remove(rk, a, old)
		return true
	}
	if old != nil && old.SameDescription(merged) {
		return false
	}
	r.list(rk, a, rec, merged)
	return true
}

// list makes merged the listed instance of rec.
func (r *Registry) list(rk recordKey, a *app, rec *record, merged *eureka.Instance) {
	next := merged
	if merged.ActionType != "" { // it was listed before, and older snapshots share it
		next = new(*merged)
	}
	next.ActionType = eureka.ActionAdded
	if rec.listed != nil {
		next.ActionType = eureka.ActionModified
		r.census.Add(rec.listed.Status, -1)
	}
	next.LastUpdatedTimestamp = max(next.LastUpdatedTimestamp, a.lastUpdated(rk.id, rec.listed)+1)
	r.census.Add(next.Status, 1)
	rec.listed = next
	r.record(rk, a, next)
}

// remove ends the listing of old.
func (r *Registry) remove(rk recordKey, a *app, old *eureka.Instance) {
	gone := *old
	gone.ActionType = eureka.ActionDeleted
	gone.LastUpdatedTimestamp = max(r.now().UnixMilli(), old.LastUpdatedTimestamp+1)
	r.census.Add(old.Status, -1)
	r.record(rk, a, &gone)
}

// Changed yields when there is something new to drain.
func (r *Registry) Changed() <-chan struct{} {
	return r.changed
}

// wake makes Changed yield; one yield covers any number of changes.
func (r *Registry) wake() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

package registry

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// change is the latest thing that happened to an instance.
type change struct {
	version uint64
	inst    *eureka.Instance
	cause   Cause
}

// recentChange is an entry of the change log, in order of time.
type recentChange struct {
	at      time.Time
	version uint64
	key     recordKey
}

// Changes is what differs since the last Drain.
type Changes struct {
	// Version is the registry's version, from 0.
	Version uint64
	// Census counts all listed instances.
	Census eureka.Census
	// Apps are the apps that differ, sorted by name.
	Apps []AppChange
}

// AppChange is the present state of an app that differs.
type AppChange struct {
	Name string
	// Instances are all listed ones, sorted by id; nil when only Recent
	// differs, as ListedChanged says.
	Instances     []*eureka.Instance
	ListedChanged bool
	// Recent has one entry per instance that changed within DeltaWindow, its
	// latest action, sorted by id but for the deleted ones, which come last: a
	// client that does not know the app imports it whole (field case 45). If all
	// listed ones changed and none was deleted, it equals Instances.
	Recent []*eureka.Instance
	// Causes are the causes of Recent, one for each.
	Causes []Cause
}

// log writes inst into the change log of a.
func (r *Registry) log(rk recordKey, a *app, inst *eureka.Instance, cause Cause) {
	r.version++
	a.recent[rk.id] = change{r.version, inst, cause}
	r.recent = append(r.recent, recentChange{r.now(), r.version, rk})
	r.dirty[rk.app] = true
}

// lastUpdated is the latest timestamp that a client may have seen of id.
func (a *app) lastUpdated(id string, listed *eureka.Instance) int64 {
	if listed != nil {
		return listed.LastUpdatedTimestamp
	}
	if c, ok := a.recent[id]; ok {
		return c.inst.LastUpdatedTimestamp
	}
	return 0
}

// Forget drops changes older than DeltaWindow from the delta and reports
// whether there were any. It does not change the version: clients have no use
// for knowing.
func (r *Registry) Forget() bool {
	r.mu.Lock()
	defer r.mu.Unlock()

	deadline := r.now().Add(-DeltaWindow)
	n := 0
	forgot := false
	for ; n < len(r.recent) && r.recent[n].at.Before(deadline); n++ {
		forgot = r.forget(r.recent[n]) || forgot
	}
	r.recent = slices.Delete(r.recent, 0, n)
	return forgot
}

// forget drops one entry unless a later change of the instance replaced it.
func (r *Registry) forget(old recentChange) bool {
	a := r.apps[old.key.app]
	if a == nil || a.recent[old.key.id].version != old.version {
		return false
	}
	delete(a.recent, old.key.id)
	r.dirty[old.key.app] = r.dirty[old.key.app] // false unless the instances differ too
	r.drop(old.key.app)
	return true
}

// Drain returns what differs since the last call.
func (r *Registry) Drain() Changes {
	r.mu.Lock()
	defer r.mu.Unlock()

	ch := Changes{Version: r.version, Census: r.census, Apps: make([]AppChange, 0, len(r.dirty))}
	for name, listed := range r.dirty {
		ch.Apps = append(ch.Apps, r.apps[name].change(name, listed))
	}
	clear(r.dirty)
	slices.SortFunc(ch.Apps, func(a, b AppChange) int { return strings.Compare(a.Name, b.Name) })
	return ch
}

// change is the present state of a, which is nil when nothing is left of it.
func (a *app) change(name string, listed bool) AppChange {
	c := AppChange{Name: name, ListedChanged: listed}
	if a == nil {
		return c
	}
	if listed {
		c.Instances = make([]*eureka.Instance, 0, len(a.records))
		for _, rec := range a.records {
			if rec.listed != nil {
				c.Instances = append(c.Instances, rec.listed)
			}
		}
		slices.SortFunc(c.Instances, func(a, b *eureka.Instance) int { return strings.Compare(a.ID, b.ID) })
	}
	c.Recent, c.Causes = a.recentInOrder()
	return c
}

// recentInOrder is the delta of a: by id, the deleted ones last.
func (a *app) recentInOrder() ([]*eureka.Instance, []Cause) {
	changes := make([]change, 0, len(a.recent))
	for _, c := range a.recent {
		changes = append(changes, c)
	}
	slices.SortFunc(changes, func(x, y change) int {
		if byAction := cmp.Compare(rank(x), rank(y)); byAction != 0 {
			return byAction
		}
		return strings.Compare(x.inst.ID, y.inst.ID)
	})
	recent, causes := make([]*eureka.Instance, len(changes)), make([]Cause, len(changes))
	for i, c := range changes {
		recent[i], causes[i] = c.inst, c.cause
	}
	return recent, causes
}

// rank puts deleted entries behind all others.
func rank(c change) int {
	if c.inst.ActionType == eureka.ActionDeleted {
		return 1
	}
	return 0
}

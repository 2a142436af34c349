package registry

import (
	"iter"
	"slices"

	"github.com/eurekube/eurekube/eureka"
)

// update is one change of the registry under its lock: first the claims move,
// then each record that was touched is merged anew.
type update struct {
	registry    *Registry
	cause       Cause // of all changes that it makes
	touched     []recordKey
	endedLeases []endedLease
}

// endedLease is a lease that ended because of the pod that it was one with.
type endedLease struct {
	key, podKey string
}

// replace makes claims all that ck says.
func (u *update) replace(ck claimKey, claims []Claim) {
	before := u.registry.claims[ck]
	var after []*claim
	for _, said := range claims {
		i := slices.IndexFunc(before, func(c *claim) bool { return c.names(said.Instance) })
		if i < 0 {
			after = append(after, u.add(ck, said))
			continue
		}
		after = append(after, before[i])
		u.change(before[i], said)
		before = slices.Delete(slices.Clone(before), i, i+1)
	}
	for _, c := range before {
		u.withdraw(c)
	}
	if len(after) > 0 {
		u.registry.claims[ck] = after
		return
	}
	delete(u.registry.claims, ck)
	if ck.owner == OwnerPod {
		u.endPod(ck.key)
	}
}

// add puts a new claim in its place.
func (u *update) add(ck claimKey, said Claim) *claim {
	c := &claim{Claim: said, by: ck}
	if said.Instance != nil {
		a := u.app(c)
		a.indexOf(ck.owner).add(c)
		u.registry.registered.add(c)
		u.registry.holders.add(c)
		u.settle(a, c)
		u.attract(a, c)
	}
	return c
}

// change replaces what a claim says of the same app and id.
func (u *update) change(c *claim, said Claim) {
	if said.Instance == nil {
		c.Claim = said
		return
	}
	a := u.app(c)
	left := c.Endpoints
	a.indexOf(c.by.owner).remove(c)
	u.registry.holders.remove(c)
	c.Claim = said
	u.registry.holders.add(c)
	a.indexOf(c.by.owner).add(c)
	u.settle(a, c)
	if c.by.owner == OwnerPod && !slices.Equal(left, c.Endpoints) {
		u.rehome(a, a.leases.at(left))
	}
	u.attract(a, c)
}

// withdraw ends a claim. Leases that were one with a pod end with the last pod of
// their record.
func (u *update) withdraw(c *claim) {
	if c.Instance == nil {
		return
	}
	a := u.app(c)
	a.indexOf(c.by.owner).remove(c)
	u.registry.registered.remove(c)
	u.registry.holders.remove(c)
	rec := a.records[c.home]
	u.touch(recordKey{c.Instance.App, c.home})
	rec.claims.remove(c)
	if c.by.owner == OwnerPod && rec.best(OwnerPod) == nil {
		u.end(a, rec, rec.leasesOfPod(), c.by.key)
	}
}

// end withdraws leases that were one with a pod.
func (u *update) end(a *app, rec *record, leases []*claim, podKey string) {
	for _, lease := range leases {
		a.leases.remove(lease)
		u.registry.registered.remove(lease)
		rec.claims.remove(lease)
		delete(u.registry.claims, lease.by)
		u.endedLeases = append(u.endedLeases, endedLease{lease.by.key, podKey})
	}
}

// settle puts c into the record that it belongs to: a lease into that of the pod
// which is the same process, anything else into that of its own id.
func (u *update) settle(a *app, c *claim) {
	home, ofPod := c.Instance.ID, false
	if c.by.owner == OwnerLease {
		if podHome, found := a.podHome(c.Endpoints); found {
			home, ofPod = podHome, true
		}
	}
	if c.home != "" && c.home != home {
		u.touch(recordKey{c.Instance.App, c.home})
		a.records[c.home].claims.remove(c)
	}
	c.home, c.ofPod = home, ofPod
	a.record(home).claims.add(c)
	u.touch(recordKey{c.Instance.App, home})
}

// attract brings the leases that are the same process as the pod c to it.
func (u *update) attract(a *app, c *claim) {
	if c.by.owner != OwnerPod {
		return
	}
	u.rehome(a, a.leases.at(c.Endpoints))
	u.bound(a, recordKey{c.Instance.App, c.home})
}

func (u *update) rehome(a *app, leases iter.Seq[*claim]) {
	for lease := range leases {
		u.settle(a, lease)
	}
}

// endPod forgets what operators and the application itself said of a pod.
func (u *update) endPod(key string) {
	delete(u.registry.cancelled, key)
	delete(u.registry.metadata, key)
	if _, ok := u.registry.overrides[key]; ok {
		delete(u.registry.overrides, key)
		wake(u.registry.overridesChanged)
	}
}

// app is the app of a claim with an instance, made if there is none.
func (u *update) app(c *claim) *app {
	name := c.Instance.App
	a := u.registry.apps[name]
	if a == nil {
		a = newApp()
		u.registry.apps[name] = a
	}
	return a
}

// touch has a record merged anew at the end.
func (u *update) touch(rk recordKey) {
	rec := u.registry.apps[rk.app].records[rk.id]
	if !rec.touched {
		rec.touched = true
		u.touched = append(u.touched, rk)
	}
}

// finish merges the touched records anew and reports whether a client can see a
// difference.
func (u *update) finish() (changed bool) {
	for _, rk := range u.touched {
		changed = u.refresh(rk) || changed
		u.registry.drop(rk.app)
	}
	if changed {
		wake(u.registry.changed)
	}
	return changed
}

// refresh makes what is listed for a record what its claims say now.
func (u *update) refresh(rk recordKey) bool {
	r := u.registry
	a := r.apps[rk.app]
	if a == nil || a.records[rk.id] == nil {
		return false
	}
	rec := a.records[rk.id]
	rec.touched = false
	old, merged := rec.listed, r.merge(rec)
	if len(rec.claims.list) == 0 {
		delete(a.records, rk.id)
	}
	switch {
	case merged == nil && old == nil, merged != nil && old != nil && rec.sameAs(old, merged):
		return false
	case merged == nil:
		rec.listed = nil
		r.remove(rk, a, old, u.causeOfRemoval())
	default:
		r.list(rk, a, rec, merged, u.causeOfListing(old != nil))
	}
	return true
}

// drop forgets an app that has neither records nor recent changes.
func (r *Registry) drop(name string) {
	if a := r.apps[name]; a != nil && len(a.records) == 0 && len(a.recent) == 0 {
		delete(r.apps, name)
	}
}

// list makes merged the listed instance of rec.
func (r *Registry) list(rk recordKey, a *app, rec *record, merged *eureka.Instance, cause Cause) {
	next := merged
	if merged.ActionType != "" || rec.best(OwnerPod) == nil {
		// It was listed before, and older snapshots share it; or it is a lease's,
		// whose store goes on reading it.
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
	r.log(rk, a, next, cause)
}

// remove ends the listing of old.
func (r *Registry) remove(rk recordKey, a *app, old *eureka.Instance, cause Cause) {
	gone := *old
	gone.ActionType = eureka.ActionDeleted
	gone.LastUpdatedTimestamp = max(r.now().UnixMilli(), old.LastUpdatedTimestamp+1)
	gone.Lease.EvictionTimestamp = gone.LastUpdatedTimestamp // protocol section 5.10
	r.census.Add(old.Status, -1)
	r.log(rk, a, &gone, cause)
}

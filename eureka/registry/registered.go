package registry

import "slices"

// registered finds leases by the id that they registered with, whatever their
// app.
type registered map[string][]*claim

func (r registered) add(c *claim) {
	if c.by.owner == OwnerLease {
		r[c.Instance.ID] = append(r[c.Instance.ID], c)
	}
}

func (r registered) remove(c *claim) {
	if c.by.owner != OwnerLease {
		return
	}
	id := c.Instance.ID
	left := slices.DeleteFunc(r[id], func(other *claim) bool { return other == c })
	if len(left) == 0 {
		delete(r, id)
	} else {
		r[id] = left
	}
}

// AppOfRegistered is the app in which something listed registered as id, be it a
// pod that is listed by another id or not; of several apps the one whose name
// comes first. It reports false if there is none.
func (r *Registry) AppOfRegistered(id string) (app string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.registered[id] {
		name := c.Instance.App
		if r.apps[name].records[c.home].listed != nil && (!ok || name < app) {
			app, ok = name, true
		}
	}
	return app, ok
}

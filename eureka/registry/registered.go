package registry

// registered finds leases by the id that they registered with, whatever their
// app.
type registered map[string]*claimSet

func (r registered) add(c *claim) {
	if c.by.owner != OwnerLease {
		return
	}
	id := c.Instance.ID
	if r[id] == nil {
		r[id] = &claimSet{}
	}
	r[id].add(c)
}

func (r registered) remove(c *claim) {
	if c.by.owner != OwnerLease {
		return
	}
	id := c.Instance.ID
	found := r[id]
	if found == nil {
		return
	}
	if found.remove(c); len(found.list) == 0 {
		delete(r, id)
	}
}

// AppOfRegistered is the app in which something listed registered as id, be it a
// pod that is listed by another id or not; of several apps the one whose name
// comes first. It reports false if there is none.
func (r *Registry) AppOfRegistered(id string) (app string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := r.registered[id]
	if found == nil {
		return "", false
	}
	for _, c := range found.list {
		name := c.Instance.App
		if r.apps[name].records[c.home].listed != nil && (!ok || name < app) {
			app, ok = name, true
		}
	}
	return app, ok
}

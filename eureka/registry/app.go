package registry

import "iter"

// app is the records and the recent changes of one application, and where its
// processes are reached.
type app struct {
	records map[string]*record
	recent  map[string]change
	pods    endpoints
	leases  endpoints
}

func newApp() *app {
	return &app{
		records: make(map[string]*record),
		recent:  make(map[string]change),
		pods:    make(endpoints),
		leases:  make(endpoints),
	}
}

// record returns the record of id, made if there is none.
func (a *app) record(id string) *record {
	rec := a.records[id]
	if rec == nil {
		rec = &record{}
		a.records[id] = rec
	}
	return rec
}

// podHome is the id of the pod that is reached at one of the endpoints, the least
// of several, whoever came first.
func (a *app) podHome(where []Endpoint) (home string, found bool) {
	for pod := range a.pods.at(where) {
		if !found || pod.home < home {
			home, found = pod.home, true
		}
	}
	return home, found
}

// indexOf is the index that claims of an owner are in, nil for none.
func (a *app) indexOf(owner Owner) endpoints {
	switch owner {
	case OwnerPod:
		return a.pods
	case OwnerLease:
		return a.leases
	}
	return nil
}

// endpoints finds claims by where their processes are reached.
type endpoints map[Endpoint]*claimSet

func (e endpoints) add(c *claim) {
	if e == nil {
		return
	}
	for _, at := range c.Endpoints {
		if e[at] == nil {
			e[at] = &claimSet{}
		}
		e[at].add(c)
	}
}

func (e endpoints) remove(c *claim) {
	if e == nil {
		return
	}
	for _, at := range c.Endpoints {
		found := e[at]
		if found == nil { // it is named twice
			continue
		}
		if found.remove(c); len(found.list) == 0 {
			delete(e, at)
		}
	}
}

// at yields the claims reached at one of the endpoints, one that is reached at
// several more than once. They may be settled meanwhile.
func (e endpoints) at(where []Endpoint) iter.Seq[*claim] {
	return func(yield func(*claim) bool) {
		for _, at := range where {
			found := e[at]
			if found == nil {
				continue
			}
			for _, c := range found.list {
				if !yield(c) {
					return
				}
			}
		}
	}
}

package registry

import "slices"

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
type endpoints map[Endpoint][]*claim

func (e endpoints) add(c *claim) {
	if e == nil {
		return
	}
	for _, at := range c.Endpoints {
		if !slices.Contains(e[at], c) {
			e[at] = append(e[at], c)
		}
	}
}

func (e endpoints) remove(c *claim) {
	if e == nil {
		return
	}
	for _, at := range c.Endpoints {
		left := slices.DeleteFunc(e[at], func(other *claim) bool { return other == c })
		if len(left) == 0 {
			delete(e, at)
		} else {
			e[at] = left
		}
	}
}

// at returns the claims reached at one of the endpoints.
func (e endpoints) at(where []Endpoint) []*claim {
	var found []*claim
	for _, at := range where {
		for _, c := range e[at] {
			if !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
	}
	return found
}

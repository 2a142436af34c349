package registry

import "slices"

// holders finds pods, listed or not, by the hosts where they are reached, and
// knows which names have pods.
type holders struct {
	byHost map[string][]*claim
	pods   map[Name]int // how many have the name
}

func newHolders() holders {
	return holders{byHost: make(map[string][]*claim), pods: make(map[Name]int)}
}

func (h holders) add(c *claim) {
	if c.by.owner != OwnerPod || c.Instance == nil {
		return
	}
	for _, name := range NamesOf(c.Instance) {
		h.pods[name]++
	}
	for _, at := range c.Endpoints {
		if !slices.Contains(h.byHost[at.Host], c) {
			h.byHost[at.Host] = append(h.byHost[at.Host], c)
		}
	}
}

// remove is for a claim that says what it said when it was added.
func (h holders) remove(c *claim) {
	if c.by.owner != OwnerPod || c.Instance == nil {
		return
	}
	for _, name := range NamesOf(c.Instance) {
		if h.pods[name]--; h.pods[name] == 0 {
			delete(h.pods, name)
		}
	}
	for _, at := range c.Endpoints {
		left := slices.DeleteFunc(h.byHost[at.Host], func(other *claim) bool { return other == c })
		if len(left) == 0 {
			delete(h.byHost, at.Host)
		} else {
			h.byHost[at.Host] = left
		}
	}
}

// holds reports whether a pod that has the name is reached at address and, unless
// it is empty, also by host.
func (h holders) holds(name Name, address, host string) bool {
	return slices.ContainsFunc(h.byHost[address], func(c *claim) bool {
		return (host == "" || c.isCalled(host)) && slices.Contains(NamesOf(c.Instance), name)
	})
}

// PodHolds reports whether a pod that has the name is reached at address and,
// unless it is empty, the same pod by host: see Trespass.
func (r *Registry) PodHolds(name Name, address, host string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.holders.holds(name, address, host)
}

// Trespass is the first of names that belongs to pods none of which is reached at
// address, in its canonical spelling, and, unless it is empty, also by host, in
// lower case. host may be any name of the pod inside the cluster, or what its
// annotation advertises. A pod need not be listed for its names to be its own. It
// reports false if there is no such name.
func (r *Registry) Trespass(names []Name, address, host string) (Name, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range names {
		if r.holders.pods[name] > 0 && !r.holders.holds(name, address, host) {
			return name, true
		}
	}
	return Name{}, false
}

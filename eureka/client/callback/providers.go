package callback

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// ErrNoProvider says that nobody is known to provide a service now.
var ErrNoProvider = errors.New("no provider")

// patch is what the registry tells.
type patch struct {
	Added, Removed []struct{ Name, URL string }
}

// providers are the URLs of each required service, by its name in lower case. The
// zero value knows none.
type providers struct {
	mu    sync.RWMutex // guards all below
	known urls
	// fresh is what was told since the program began to register, nil while it does
	// not: the registry then tells everything anew.
	fresh urls
}

// urls are sets by name.
type urls map[string]map[string]bool

func (u urls) add(name, url string) {
	name = strings.ToLower(name)
	if u[name] == nil {
		u[name] = make(map[string]bool)
	}
	u[name][url] = true
}

func (u urls) remove(name, url string) { delete(u[strings.ToLower(name)], url) }

// apply takes a patch over.
func (p *providers) apply(told patch) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = make(urls)
	}
	for _, removed := range told.Removed {
		p.known.remove(removed.Name, removed.URL)
		p.fresh.remove(removed.Name, removed.URL)
	}
	for _, added := range told.Added {
		p.known.add(added.Name, added.URL)
		if p.fresh != nil {
			p.fresh.add(added.Name, added.URL)
		}
	}
}

// begin notes that a registration begins.
func (p *providers) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh = make(urls)
}

// end notes how a registration ended. After a good one the program knows what it
// was told since the beginning, and nothing from before: what went while the
// registry was away is never told.
func (p *providers) end(registered bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if registered {
		p.known = p.fresh
	}
	p.fresh = nil
}

// of are the URLs of a service, sorted.
func (p *providers) of(name string) []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return slices.Sorted(maps.Keys(p.known[strings.ToLower(name)]))
}

// GetProvider is the URL of a provider of a required service, matched without case,
// chosen at random. The error wraps ErrNoProvider. It may be called by any number
// of goroutines at once.
func (s *Service) GetProvider(name string) (url string, err error) {
	all := s.Providers(name)
	if len(all) == 0 {
		return "", fmt.Errorf("%w of %s", ErrNoProvider, name)
	}
	return all[rand.IntN(len(all))], nil
}

// Providers are the URLs of all providers of a required service that are known now,
// sorted. The slice is the caller's. It may be called by any number of goroutines
// at once.
func (s *Service) Providers(name string) []string { return s.providers.of(name) }

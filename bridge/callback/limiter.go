package callback

import (
	"context"
	"sync"
)

// limiter bounds how many calls are under way at once, in all and to each host, so
// that one host that is slow holds up nobody but itself. A host is the address of a
// machine, or a name that is looked up. It may be used by many
// goroutines at once.
type limiter struct {
	all     chan struct{}
	perHost int

	mu    sync.Mutex // guards hosts
	hosts map[string]*hostSlots
}

// hostSlots are there while somebody has or wants one.
type hostSlots struct {
	slots chan struct{}
	users int
}

func newLimiter(all, perHost int) *limiter {
	return &limiter{all: make(chan struct{}, all), perHost: perHost, hosts: make(map[string]*hostSlots)}
}

// acquire waits for a slot to call host, which release gives back. The error is
// that of ctx.
func (l *limiter) acquire(ctx context.Context, host string) (release func(), err error) {
	h := l.enter(host)
	// First that of the host: those who wait for a slow one hold no other slot.
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		l.leave(host, h)
		return nil, ctx.Err()
	}
	select {
	case l.all <- struct{}{}:
	case <-ctx.Done():
		<-h.slots
		l.leave(host, h)
		return nil, ctx.Err()
	}
	return func() {
		<-l.all
		<-h.slots
		l.leave(host, h)
	}, nil
}

func (l *limiter) enter(host string) *hostSlots {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.hosts[host]
	if h == nil {
		h = &hostSlots{slots: make(chan struct{}, l.perHost)}
		l.hosts[host] = h
	}
	h.users++
	return h
}

func (l *limiter) leave(host string, h *hostSlots) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h.users--; h.users == 0 {
		delete(l.hosts, host)
	}
}

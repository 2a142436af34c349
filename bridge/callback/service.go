package callback

import (
	"container/list"
	"context"
	"errors"
	"net/netip"
	"sync"
	"time"

	"github.com/eurekube/eurekube/eureka/lease"
)

// service is a registration that is kept: listed while its heartbeat URL answers,
// and under watch while it does not.
type service struct {
	*registration
	id     string // of its instance, and what the bridge knows it by
	remote netip.Addr

	// The bridge's mu guards these.
	listed  bool
	silence *list.Element // of the bridge's silent, nil while it is listed
	quiet   time.Time     // until then it is not told

	end     context.CancelFunc // of its goroutines
	changed chan struct{}      // yields when there may be something to tell
	// informed is closed when the program knew for the first time where all that it
	// requires is reached.
	informed chan struct{}
	inform   func() // closes it
}

func newService(r *registration, remote netip.Addr) *service {
	svc := &service{registration: r, id: r.at.id(), remote: remote, changed: make(chan struct{}, 1), informed: make(chan struct{})}
	svc.inform = sync.OnceFunc(func() { close(svc.informed) })
	return svc
}

// wake has the program told what there may be to tell.
func (s *service) wake() {
	select {
	case s.changed <- struct{}{}:
	default: // it is to look already
	}
}

var (
	errNotRunning = errors.New("the bridge does not run")
	errFull       = errors.New("too many services are registered, or they require too much")
)

// add lists a service, in place of the one with the same ServiceURL, and begins to
// probe it and to tell it. The errors are those of lease.Store.Register, errNotRunning
// and errFull.
func (b *Bridge) add(r *registration, remote netip.Addr) (*service, error) {
	svc := newService(r, remote)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ctx == nil || b.ctx.Err() != nil {
		return nil, errNotRunning
	}
	before := b.services[svc.id]
	displaced, ok := b.room(svc, before)
	if !ok {
		return nil, errFull
	}
	if before != nil && before.app != svc.app { // else it is all one lease, which Register judges
		if err := b.mayWrite(before, remote); err != nil {
			return nil, err
		}
	}
	if err := b.list(svc); err != nil {
		return nil, err
	}
	for _, gone := range displaced {
		_ = b.remove(gone) // it has no lease
		b.note(gone, "Callback service does not answer and was forgotten for a new one")
	}
	b.noteListed(svc, before)
	if before != nil {
		b.replaced(before, svc)
	}
	b.services[svc.id] = svc
	b.start(svc)
	b.begin()
	b.metrics.count(b.listed, len(b.services))
	return svc, nil
}

// room are the services that have to go so that there is room for svc in the place of
// before, which may be nil: of those that do not answer the ones that fell silent
// first. Whoever fills the bridge with addresses at which nobody is keeps out nobody
// who answers. It reports false when they are not enough.
func (b *Bridge) room(svc, before *service) (displaced []*service, ok bool) {
	services, names := len(b.services)+1, b.names+len(svc.required)
	if before != nil {
		services, names = services-1, names-len(before.required)
	}
	for e := b.silent.Front(); ; e = e.Next() {
		tooMany, tooMuch := services > maxServices, names > maxNames && names > b.names
		if !tooMany && !tooMuch || e == nil {
			return displaced, !tooMany && !tooMuch
		}
		if gone := e.Value.(*service); gone != before && (tooMany || len(gone.required) > 0) {
			displaced = append(displaced, gone)
			services, names = services-1, names-len(gone.required)
		}
	}
}

// noteListed logs that svc takes the place of before, which may be nil, unless that
// changes nothing that anybody sees: programs register again and again.
func (b *Bridge) noteListed(svc, before *service) {
	switch {
	case before != nil && before.app != svc.app:
		b.note(svc, "Callback service was listed in place of one with another name", "before", before.app)
	case before == nil || !before.listed:
		b.note(svc, "Callback service was listed")
	}
}

// mayWrite refuses a sender who may not end svc.
func (b *Bridge) mayWrite(svc *service, sender netip.Addr) error {
	return b.config.Leases.MayWrite(svc.app, svc.id, sender, b.config.Users != nil)
}

// replaced forgets before, whose place another registration of its ServiceURL takes.
func (b *Bridge) replaced(before, svc *service) {
	if before.app != svc.app {
		_ = b.unlist(before) // its lease may have ended by itself
	} else if before.listed {
		before.listed = false // the lease is that of svc now
		b.listed--
	}
	b.forget(before)
}

// start begins to probe svc and to tell it. The caller holds mu.
func (b *Bridge) start(svc *service) {
	b.require(svc)
	ctx, end := context.WithCancel(b.ctx)
	svc.end = end
	b.work.Go(func() { b.watch(ctx, svc) })
	if len(svc.required) == 0 {
		svc.inform()
		return
	}
	b.work.Go(func() { b.tell(ctx, svc) })
}

// remove ends a service for good. The error is that of the lease, which may have
// ended by itself. The caller holds mu.
func (b *Bridge) remove(svc *service) error {
	err := b.unlist(svc)
	b.forget(svc)
	b.metrics.count(b.listed, len(b.services))
	return err
}

// forget ends what is done for svc.
func (b *Bridge) forget(svc *service) {
	svc.end()
	svc.inform() // nobody has to wait for it
	b.speaks(svc)
	b.release(svc)
	delete(b.services, svc.id)
}

// list registers the lease of svc. The caller holds mu.
func (b *Bridge) list(svc *service) error {
	if err := b.config.Leases.Register(b.beside(), svc.instance(svc.remote), svc.remote, false); err != nil {
		return err
	}
	if !svc.listed {
		svc.listed = true
		b.listed++
		b.speaks(svc)
	}
	svc.wake() // there may be news since it was listed
	return nil
}

// unlist cancels the lease of svc if it is listed. The caller holds mu.
func (b *Bridge) unlist(svc *service) error {
	if !svc.listed {
		return nil
	}
	svc.listed = false
	b.listed--
	svc.silence = b.silent.PushBack(svc)
	return b.config.Leases.Cancel(b.beside(), svc.app, svc.id, false)
}

// speaks notes that svc is not under watch, or not any more.
func (b *Bridge) speaks(svc *service) {
	if svc.silence != nil {
		b.silent.Remove(svc.silence)
		svc.silence = nil
	}
}

// renew keeps the lease of svc.
func (b *Bridge) renew(svc *service) error {
	return b.config.Leases.Renew(b.ctx, svc.app, svc.id, lease.Renewal{})
}

package callback

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/internal/pause"
)

// How a service is probed. Services are spread over the interval by chance, each
// keeping its place in it.
const (
	probeInterval = 3 * time.Second
	probeTries    = 3
	tryInterval   = time.Second // from the start of one to that of the next
	// forgetAfter is how long a service may be under watch: an address that nobody
	// uses any more would be called for ever.
	forgetAfter = 24 * time.Hour
	// probeTick is what times of probes are rounded to: to wake for each apart costs
	// more than twice as much as to wake for some together.
	probeTick = 50 * time.Millisecond
	// comeback is how long a program that was under watch is not told yet: when the
	// network was cut all come back within an interval, and to the first of them all
	// others would be gone.
	comeback = probeInterval + probeTimeout
)

// watch probes svc until ctx ends or there is another service in its place.
func (b *Bridge) watch(ctx context.Context, svc *service) {
	w := &watcher{bridge: b, service: svc, to: callee{endpoint: svc.heartbeat}, since: time.Now()}
	w.inPod = w.hasPod()
	for next := rand.N(probeInterval) + 1; pause.For(ctx, b.toTick(next)); {
		start := time.Now()
		err := w.probe(ctx)
		if ctx.Err() != nil || !w.judge(err) {
			return
		}
		next = probeInterval - time.Since(start)
	}
}

// toTick is how long it is until the tick that is nearest to the end of d.
func (b *Bridge) toTick(d time.Duration) time.Duration {
	now := time.Since(b.began)
	return (now + d).Round(probeTick) - now
}

// watcher is what one goroutine knows of the service that it probes.
type watcher struct {
	bridge *Bridge
	*service
	to       callee
	answered bool      // the latest probe
	since    time.Time // when it answered last
	refused  bool      // it answers but may not be listed
	inPod    bool      // it was one with a pod when it registered, or later at the latest probe that was answered
}

// probe asks the heartbeat URL, of a service that answered last time again and again
// before it is an error.
func (w *watcher) probe(ctx context.Context) error {
	for try := 1; ; try++ {
		start := time.Now()
		err := w.bridge.calls.probe(ctx, &w.to, w.answered)
		w.bridge.metrics.probed(err)
		if err == nil || ctx.Err() != nil || try == probeTries || !w.isListed() {
			return err
		}
		if !pause.For(ctx, tryInterval-time.Since(start)) {
			return ctx.Err()
		}
	}
}

func (w *watcher) isListed() bool {
	w.bridge.mu.Lock()
	defer w.bridge.mu.Unlock()
	return w.listed
}

// judge acts on the outcome of a probe. It reports false when the service is not
// kept any longer.
func (w *watcher) judge(err error) bool {
	w.answered = err == nil
	var renewal error
	if w.answered || w.inPod {
		renewal = w.bridge.renew(w.service) // without the lock: this is all that is done for nearly every probe
	}
	if w.inPod && errors.Is(renewal, lease.ErrNotFound) {
		return w.podEnded()
	}
	if err != nil {
		return w.silent(err)
	}
	w.since = time.Now()
	if renewal == nil {
		w.inPod = w.hasPod()
	}
	w.bridge.mu.Lock()
	defer w.bridge.mu.Unlock()
	if w.bridge.services[w.id] != w.service {
		return false
	}
	if !w.listed || renewal != nil {
		w.relist()
	}
	return true
}

// hasPod reports whether the service is one with a pod, whose end is then its own.
func (w *watcher) hasPod() bool {
	_, alone := w.bridge.config.Leases.Lease(w.app, w.id)
	return !alone
}

// podEnded forgets a service with its pod. One that is being stopped may answer for
// a while, and its address may soon be that of another pod.
func (w *watcher) podEnded() bool {
	w.bridge.mu.Lock()
	defer w.bridge.mu.Unlock()
	if w.bridge.services[w.id] == w.service {
		_ = w.bridge.remove(w.service) // its lease has ended
		w.bridge.note(w.service, "Callback service ended with its pod")
	}
	return false
}

// relist lists a service that answers and is not listed: it was under watch, or its
// lease ended otherwise. The caller holds mu.
func (w *watcher) relist() {
	again := !w.listed
	err := w.bridge.list(w.service)
	switch {
	case err != nil && !w.refused:
		_ = w.bridge.unlist(w.service) // it has no lease
		w.bridge.note(w.service, "Callback service answers and may not register", "reason", err.Error())
	case err == nil && again:
		w.quiet = time.Now().Add(comeback)
		w.bridge.note(w.service, "Callback service answers again and was listed")
	}
	w.refused = err != nil
	w.bridge.metrics.count(w.bridge.listed, len(w.bridge.services))
}

// silent takes a service that does not answer out of the list, once, and ends it
// when it has been silent for long.
func (w *watcher) silent(err error) bool {
	b := w.bridge
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.services[w.id] != w.service:
		return false
	case w.listed:
		_ = b.unlist(w.service) // it may have ended by itself
		b.metrics.count(b.listed, len(b.services))
		b.note(w.service, "Callback service does not answer and is under watch", "reason", err.Error())
	case time.Since(w.since) >= forgetAfter:
		_ = b.remove(w.service)
		b.note(w.service, "Callback service was forgotten", "silent", forgetAfter)
		return false
	}
	return true
}

// resultOf is the metric's word for the outcome of a call.
func resultOf(err error) string {
	var forbidden *forbiddenError
	switch {
	case err == nil:
		return resultOK
	case errors.As(err, &forbidden):
		return resultForbidden
	}
	return resultFailed
}

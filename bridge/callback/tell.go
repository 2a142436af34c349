package callback

import (
	"context"
	"errors"
	"strings"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/internal/pause"
)

// How often a program is told: after a patch the changes of patchInterval go into
// the next one, and after one that failed retries are ever farther apart. With many
// programs that are told the interval is patchShare for each of them, so that no
// more than a thousand patches a second are sent however many require each other.
const (
	patchInterval = 100 * time.Millisecond
	patchShare    = time.Millisecond
	firstRetry    = time.Second
	lastRetry     = 10 * time.Second
)

// tell has svc know where what it requires is reached, until ctx ends. It is the
// only one who tells it, so patches arrive in order.
func (b *Bridge) tell(ctx context.Context, svc *service) {
	t := &teller{bridge: b, service: svc, to: callee{endpoint: svc.update}, known: make(map[string]knowledge)}
	retry := firstRetry
	for pause.For(ctx, t.untilTold()) {
		told, err := t.tellOnce(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if !pause.For(ctx, retry) {
				return
			}
			retry = min(2*retry, lastRetry)
			continue
		case told:
			if !pause.For(ctx, b.patchPause()) {
				return
			}
		}
		retry = firstRetry
		select {
		case <-ctx.Done():
			return
		case <-svc.changed:
		}
	}
}

// patchPause is how long after a patch there is no other one to the same program.
func (b *Bridge) patchPause() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return max(patchInterval, time.Duration(b.tellable)*patchShare)
}

// teller is what one goroutine knows of the program that it tells.
type teller struct {
	bridge *Bridge
	*service
	to     callee
	known  map[string]knowledge // by the names that the program requires
	failed bool                 // the latest patch
}

// untilTold is how long the program is not told yet.
func (t *teller) untilTold() time.Duration {
	t.bridge.mu.Lock()
	defer t.bridge.mu.Unlock()
	return time.Until(t.quiet)
}

// tellOnce sends the difference between what the program knows and what is so now,
// if there is one. One under watch is not called: it is told when it answers again.
func (t *teller) tellOnce(ctx context.Context) (told bool, err error) {
	if now, listed := t.now(); !listed || t.compare(now).empty() {
		if listed {
			t.inform()
		}
		return false, nil
	}
	var now map[string][]string
	sent, err := t.bridge.calls.deliver(ctx, &t.to, t.failed, func() []byte {
		var listed bool
		now, listed = t.now() // it may have waited for long
		if p := t.compare(now); listed && !p.empty() {
			return p.encode()
		}
		return nil
	})
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return false, ctx.Err()
	case err == nil && !sent:
		t.wake() // looks again, and then waits
		return false, nil
	}
	t.note(ctx, now, err)
	return err == nil, err
}

// now is where each of the required names is reached, and whether the program is
// listed itself.
func (t *teller) now() (urls map[string][]string, listed bool) {
	t.bridge.mu.Lock()
	defer t.bridge.mu.Unlock()
	urls = make(map[string][]string, len(t.required))
	for _, name := range t.required {
		if p := t.bridge.required[strings.ToUpper(name)]; p != nil {
			urls[name] = p.urls
		}
	}
	return urls, t.listed
}

// compare is the patch that leads from what the program knows to now.
func (t *teller) compare(now map[string][]string) *patch {
	p := newPatch()
	seen := make(map[string]bool, len(t.required))
	for _, name := range t.required {
		if !seen[name] {
			p.compare(name, t.known[name], now[name])
			seen[name] = true
		}
	}
	return p
}

// note remembers what the program knows after a patch to now.
func (t *teller) note(ctx context.Context, now map[string][]string, err error) {
	t.bridge.metrics.delivered(err)
	for name, urls := range now {
		switch {
		case err == nil:
			t.known[name] = learned(urls)
		case uncertain(err):
			t.known[name] = t.known[name].unsettled(urls)
		}
	}
	if err == nil {
		t.inform()
	} else if !t.failed {
		klog.FromContext(ctx).V(2).Info("Callback service did not take a patch, which is tried again", "app", t.app, "instanceID", t.id, "reason", err.Error())
	}
	t.failed = err != nil
}

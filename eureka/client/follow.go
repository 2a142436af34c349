package client

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/internal/pause"
)

// Run keeps the list until ctx ends, and then returns nil; ErrRunning if it runs
// already. It reads the full list and then follows the first server of the line in
// the best [Mode] that the server has, and the next one when that fails. While none
// answers it tries them all again and again, backing off to the interval.
func (d *Discovery) Run(ctx context.Context) error {
	if !d.running.CompareAndSwap(false, true) {
		return ErrRunning
	}
	defer d.running.Store(false)
	defer d.servers.closeIdle()
	f := follower{Discovery: d, lacks: make(map[lack]time.Time), lost: true}
	f.retry = backoff{first: min(firstRetry, d.config.Interval), limit: d.config.Interval}
	if d.config.File != "" {
		f.load(ctx)
		var saving sync.WaitGroup
		now := d.view.Load() // before anything is followed
		saving.Go(func() { d.save(ctx, now) })
		defer saving.Wait()
	}
	for ctx.Err() == nil {
		if err := f.follow(ctx); err != nil && ctx.Err() == nil {
			f.failed(ctx, err)
		}
	}
	return nil
}

// maxGap is after how long without news a delta may lack some: servers keep
// changes for three minutes (protocol section 5.13).
const maxGap = 2 * time.Minute

// retryBetter is after how long a server is tried again in a mode that it lacked:
// it may have been replaced by another version.
const retryBetter = 10 * time.Minute

// lack is a mode that a server does not have.
type lack struct {
	on   *server
	mode Mode
}

// follower is a Discovery while it runs. It is for one goroutine, the only one that
// changes the view.
type follower struct {
	*Discovery
	on     *server
	token  string    // how far the view is on that server; empty when it gave none
	behind bool      // the full list has to be read before any change is taken
	synced time.Time // when the view was current
	lacks  map[lack]time.Time
	retry  backoff
	// mismatches and short count, in a row, deltas that did not match and streams
	// that soon ended.
	mismatches, short int
	lost              bool  // no server is followed, and the log says so
	saved             *view // what the file had, until there is something better
	savedAt           time.Time
	// emptySince is since when servers list nobody though somebody was listed, zero
	// while they do not; emptySeen is when one did last.
	emptySince, emptySeen time.Time
}

// follow follows the first server of the line until it fails, for which the error
// is, or until another mode is better, which is no error.
func (f *follower) follow(ctx context.Context) error {
	on := f.servers.line()[0]
	if on != f.on { // what one replica says of itself is nothing to another
		f.on, f.behind = on, true
	}
	if f.behind {
		if err := f.full(ctx); err != nil {
			return err
		}
	}
	mode := f.mode()
	f.stats.mode.Store(&mode)
	switch mode {
	case ModeStream:
		return f.stream(ctx)
	case ModeLongPoll:
		return f.longPoll(ctx)
	}
	return f.poll(ctx, mode)
}

// mode is the best that the server has.
func (f *follower) mode() Mode {
	switch {
	case f.has(ModeStream):
		return ModeStream
	case f.token != "" && f.has(ModeLongPoll):
		return ModeLongPoll
	case f.has(ModeDelta):
		return ModeDelta
	}
	return ModeFull
}

func (f *follower) has(mode Mode) bool {
	until, lacks := f.lacks[lack{f.on, mode}]
	if lacks && time.Now().Before(until) {
		return false
	}
	delete(f.lacks, lack{f.on, mode})
	return true
}

// without remembers that the server does not have a mode.
func (f *follower) without(ctx context.Context, mode Mode, again time.Duration, why error) {
	klog.FromContext(ctx).V(2).Info("The server cannot be followed in this mode", "server", f.on.String(), "mode", mode, "reason", why.Error(), "again", again)
	f.lacks[lack{f.on, mode}] = time.Now().Add(again)
}

// current notes that the server has said what is so now, which is next.
func (f *follower) current(ctx context.Context, next *view) {
	f.synced = time.Now()
	f.confirmed.Store(f.synced.UnixMilli()) // first: whoever saves next writes it beside
	if now := f.view.Load(); next != now {
		f.servers.missed(now, next)
		f.show(next)
	}
	f.retry.reset()
	if f.lost {
		f.lost = false
		klog.FromContext(ctx).Info("Follow the registry", "server", f.on.String(), "instances", next.census.Total())
	}
}

// failed gives the next server its turn, after a pause if all had theirs.
func (f *follower) failed(ctx context.Context, err error) {
	f.stats.failures.Add(1)
	f.servers.failed(f.on)
	wait := f.retry.next()
	if f.retry.failures < len(f.servers.line()) {
		return
	}
	if f.retry.failures == len(f.servers.line())+1 { // one stream that was cut is no news
		f.lost = true
		f.tellLost(ctx, err)
	}
	f.useSaved(ctx)
	pause.For(ctx, wait)
}

// tellLost logs that no server can be followed, and what there is instead.
func (f *follower) tellLost(ctx context.Context, err error) {
	logger := klog.FromContext(ctx)
	if !f.Ready() {
		logger.Error(err, "No server could be followed, there is no list yet and they are tried again")
		return
	}
	logger.Error(err, "No server could be followed, the list is kept and they are tried again", "age", f.Age())
}

// wrong wraps what a server said that cannot be so.
func (f *follower) wrong(what string, err error) error {
	return fmt.Errorf("%s of %s: %w", what, f.on, err)
}

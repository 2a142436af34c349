package client

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/eurekube/eurekube/internal/pause"
)

// poll asks at each interval, for a delta or, where there is none, for the full
// list, until a better mode can be tried.
func (f *follower) poll(ctx context.Context, mode Mode) error {
	for {
		pause.For(ctx, early(f.config.Interval))
		if ctx.Err() != nil {
			return nil
		}
		read := f.pollDelta
		if mode == ModeFull {
			read = f.full
		}
		if err := read(ctx); err != nil {
			f.behind = true
			return err
		}
		if f.mode() != mode {
			return nil
		}
	}
}

// pollDelta reads a delta. A server may have them switched off, which is 403 or 404
// (protocol section 6.2).
func (f *follower) pollDelta(ctx context.Context) error {
	a, err := f.servers.send(ctx, f.on, call{method: http.MethodGet, path: "apps/delta"})
	if err != nil {
		return err
	}
	switch a.status {
	case http.StatusOK:
		return f.change(ctx, a)
	case http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed:
		f.without(ctx, ModeDelta, retryBetter, a.unexpected())
		return f.full(ctx)
	}
	return a.unexpected()
}

// The waits of a long poll: what the server is asked for, and the pauses between
// two polls. The pause is short after a wait, which is the answer to it, and longer
// while answers come at once, since each is the delta of minutes.
const (
	longPollWait     = 30 * time.Second
	shortestPause    = 200 * time.Millisecond
	longestPause     = 2 * time.Second
	answeredAtOnce   = time.Second
	longPollWaitText = "30s"
)

// longPoll asks for the changes after the last ones until the server answers
// without a token, which is then another server, or has no long poll, or a stream
// can be tried again.
func (f *follower) longPoll(ctx context.Context) error {
	between := shortestPause
	for {
		asked := time.Now()
		a, err := f.servers.send(ctx, f.on, call{
			method: http.MethodGet, path: "apps/delta", timeout: longPollWait + requestTimeout,
			query: url.Values{"wait": {longPollWaitText}, "since": {f.token}},
		})
		if err == nil && a.status == http.StatusOK {
			err = f.change(ctx, a)
		} else if err == nil {
			if err = a.unexpected(); lacksMode(a.status) {
				f.without(ctx, ModeLongPoll, retryBetter, err)
				f.behind = true
				return nil
			}
		}
		if err != nil {
			f.behind = true
			return err
		}
		if f.mismatches > 1 { // each costs a full read, which is for each interval rather than each change
			f.without(ctx, ModeLongPoll, retryBetter, errMismatch)
		}
		if f.mode() != ModeLongPoll {
			return nil
		}
		if between = min(2*between, longestPause); time.Since(asked) >= answeredAtOnce {
			between = shortestPause
		}
		pause.For(ctx, between)
		if ctx.Err() != nil {
			return nil
		}
	}
}

// lacksMode reports whether a status says that a server does not know what it was
// asked for, rather than that it is ill.
func lacksMode(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusNotImplemented:
		return true
	}
	return false
}

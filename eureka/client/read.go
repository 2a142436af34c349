package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// tokenHeader says how far an answer is, for the next long poll or stream. Servers
// other than Eurekube do not send it.
const tokenHeader = "Eurekube-Token"

// maxToken is how long a token may be: those of Eurekube have less than 30 characters.
const maxToken = 256

// usable is a token that a server gave if it can be sent back in a header, else none:
// a request for the stream that cannot be sent, or that the server refuses for its
// length, would fail again and again.
func usable(token string) string {
	unprintable := func(r rune) bool { return r <= ' ' || r >= 0x7f }
	if len(token) > maxToken || strings.ContainsFunc(token, unprintable) {
		return ""
	}
	return token
}

// full reads the full list. Its own hash is not checked: servers that show other
// regions give a hash that is not that of their list, and there is nothing left to
// fall back to (protocol section 6.2).
func (f *follower) full(ctx context.Context) error {
	a, err := f.servers.send(ctx, f.on, call{method: http.MethodGet, path: "apps"})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return a.unexpected()
	}
	apps, err := codec.DecodeApplications(codec.JSON, a.body)
	if err != nil {
		return f.wrong("full list", err)
	}
	return f.adopt(ctx, apps, a.header.Get(tokenHeader))
}

// errNoList is a document of something else, of which the decoder, who forgives,
// leaves nothing.
var errNoList = errors.New("it has neither a version nor an instance")

// errEmpty is a list of nobody where somebody was.
var errEmpty = errors.New("it lists nobody, though somebody was listed; an empty list is taken for true after 90 seconds")

// emptyGrace is how long servers have to list nobody before it is believed: servers
// other than Eurekube list nobody right after their start, until the instances
// have renewed, and a lease is 90 seconds (decision 0024).
const emptyGrace = eureka.DefaultDurationInSecs * time.Second

// adopt makes a full list the view.
func (f *follower) adopt(ctx context.Context, apps *eureka.Applications, token string) error {
	now, next := f.view.Load(), viewOf(apps.Applications)
	if err := f.believable(now, next, apps.VersionsDelta); err != nil {
		f.behind = true
		if errors.Is(err, errEmpty) { // it may be true for those that know of themselves
			f.servers.missed(now, next)
		}
		return f.wrong("full list", err)
	}
	f.stats.fullReads.Add(1)
	f.token, f.behind, f.saved = usable(token), false, nil
	if now.known && next.equal(now) {
		next = now
	}
	f.current(ctx, next)
	return nil
}

// believable judges a list of nobody.
func (f *follower) believable(now, next *view, versionsDelta int64) error {
	switch {
	case next.census.Total() > 0:
		f.emptySince = time.Time{}
		return nil
	case versionsDelta < 0:
		return errNoList
	case now.census.Total() == 0 && f.saved == nil:
		return nil // nobody was listed before
	}
	if time.Since(f.emptySeen) > max(emptyGrace, 3*f.config.Interval) { // another restart
		f.emptySince = time.Time{}
	}
	f.emptySeen = time.Now()
	if f.emptySince.IsZero() {
		f.emptySince = f.emptySeen
	}
	if f.emptySeen.Sub(f.emptySince) < emptyGrace {
		return errEmpty
	}
	return nil
}

// errMismatch says that changes did not lead to what the server has.
var errMismatch = errors.New("the hash of the list does not match")

// delta takes over the changes of an answer. With errMismatch nothing was taken:
// nobody sees a list that is known to be wrong.
func (f *follower) delta(ctx context.Context, a *answer) error {
	apps, err := codec.DecodeApplications(codec.JSON, a.body)
	if err != nil {
		f.behind = true
		return f.wrong("delta", err)
	}
	changes := f.view.Load().change()
	changes.apply(apps.Applications)
	if changes.census.HashCode() != apps.AppsHashCode {
		return errMismatch
	}
	f.stats.deltas.Add(1)
	f.token = usable(a.header.Get(tokenHeader))
	f.current(ctx, changes.view())
	return nil
}

// change is delta, and a full read when the hash does not match, or when the delta
// may lack changes that are older.
func (f *follower) change(ctx context.Context, a *answer) error {
	if time.Since(f.synced) > maxGap {
		return f.full(ctx)
	}
	err := f.delta(ctx, a)
	if !errors.Is(err, errMismatch) {
		f.mismatches = 0
		return err
	}
	f.mismatches++
	f.stats.mismatches.Add(1)
	klog.FromContext(ctx).V(2).Info("A delta did not match the server's hash, reading the full list", "server", f.on.String())
	return f.full(ctx)
}

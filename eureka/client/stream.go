package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/internal/pause"
)

// streamIdle is how long a stream may be silent: three of the server's pings.
const streamIdle = 45 * time.Second

// retryBusy is after how long a stream is tried again that the server had no room
// for.
const retryBusy = time.Minute

// errIdle ends a stream on which nothing came.
var errIdle = errors.New("nothing came for too long")

// stream takes events as they come. A stream that ends after it was of use is
// opened again, from where it ended: proxies cut long answers.
func (f *follower) stream(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(requestTimeout, func() { cancel(errIdle) })
	defer silence.Stop()
	opened := time.Now()
	resp, err := f.open(ctx)
	if err != nil {
		return f.ended(ctx, 0, cause(ctx, err))
	}
	if resp == nil {
		return nil
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	silence.Reset(streamIdle)
	events := newEventReader(&attended{resp.Body, silence, 0}, f.servers.max)
	for taken := 0; ; taken++ {
		e, err := events.next()
		if err != nil {
			f.short++
			if time.Since(opened) >= shortStream {
				f.short = 0
			}
			return f.ended(ctx, taken, cause(ctx, err))
		}
		silence.Reset(streamIdle)
		if err := f.take(ctx, e); err != nil {
			f.token, f.behind = "", true
			return err
		}
	}
}

// cause is why ctx ended, if it has, else err.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// open asks for the stream from where the view is. Without a token it begins with
// the full list. It returns nil when there is no stream on this server.
func (f *follower) open(ctx context.Context) (*http.Response, error) {
	c := call{method: http.MethodGet, path: "stream"}
	if f.token == "" {
		c.query = url.Values{"full": {"true"}}
	}
	r, err := f.servers.request(ctx, f.on, c)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Accept-Encoding", "identity") // or a proxy may hold events back to compress them together
	if f.token != "" {
		r.Header.Set("Last-Event-ID", f.token)
	}
	resp, err := f.servers.http.Do(r)
	if err != nil {
		return nil, err
	}
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode == http.StatusOK && media == "text/event-stream" {
		return resp, nil
	}
	return nil, f.refused(ctx, resp, r, media)
}

// refused judges an answer that is no stream: an error is the server's failure.
func (f *follower) refused(ctx context.Context, resp *http.Response, r *http.Request, media string) error {
	defer resp.Body.Close() //nolint:errcheck // it was only read
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReason))
	if err != nil {
		return err
	}
	a := answer{on: f.on, method: r.Method, url: r.URL.String(), status: resp.StatusCode, header: resp.Header, body: body}
	again := retryBetter
	switch {
	case a.status == http.StatusOK:
		err = fmt.Errorf("%s is no text/event-stream", media)
	case lacksMode(a.status):
		err = a.unexpected()
	case a.status == http.StatusTooManyRequests, a.status == http.StatusServiceUnavailable:
		err, again = a.unexpected(), retryBusy
	default:
		return a.unexpected()
	}
	if time.Since(f.synced) > requestTimeout {
		f.behind = true // the changes since the last stream are nowhere else
	}
	f.without(ctx, ModeStream, again, err)
	return nil
}

// shortStream is how long a stream lasts that is worth opening, and shortStreams
// how many shorter ones in a row say that something in between lets none pass.
const (
	shortStream  = 10 * time.Second
	shortStreams = 3
)

// ended judges the end of a stream on which some events came.
func (f *follower) ended(ctx context.Context, taken int, err error) error {
	switch {
	case taken == 0 && errors.Is(err, errIdle), f.short >= shortStreams:
		f.short = 0
		f.without(ctx, ModeStream, retryBetter, err)
		f.behind = true
		return nil
	case taken > 0 && f.short == 0 && errors.Is(err, io.EOF):
		pause.For(ctx, rand.N(time.Second)) // not all clients at once
		return nil
	}
	return f.wrong("stream", err)
}

// take takes over one event. What it does not know it leaves alone.
func (f *follower) take(ctx context.Context, e event) error {
	switch e.name {
	case "ping":
		f.current(ctx, f.view.Load())
	case "reset":
		apps, err := codec.DecodeApplications(codec.JSON, e.data)
		if err != nil {
			return f.wrong("event reset", err)
		}
		if err := f.adopt(ctx, apps, e.id); err != nil {
			return err
		}
	case "up", "down", "modified":
		inst, err := codec.DecodeInstance(codec.JSON, e.data)
		if err != nil {
			return f.wrong("event "+e.name, err)
		}
		// What an event is called is for people: an instance that is no longer UP
		// is "down" and still listed.
		changes := f.view.Load().change()
		changes.apply([]eureka.Application{{Name: inst.App, Instances: []*eureka.Instance{inst}}})
		f.current(ctx, changes.view())
	default:
		return nil
	}
	if id := usable(e.id); id != "" {
		f.token = id
	}
	f.stats.events.Add(1)
	return nil
}

// attended is a body whose reader is given time for as long as much comes: a full
// list may take longer than a silence may last, and a byte now and then may not
// keep a stream alive that tells nothing.
type attended struct {
	io.Reader
	silence *time.Timer
	since   int // bytes since the timer was set
}

const muchOfAStream = 64 << 10

// Read implements io.Reader.
func (a *attended) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if a.since += n; a.since >= muchOfAStream {
		a.silence.Reset(streamIdle)
		a.since = 0
	}
	return n, err
}

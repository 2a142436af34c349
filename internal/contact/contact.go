// Package contact measures how long ago a server was last heard of.
//
// It wraps the transport of a client and takes the time whenever response
// headers or a piece of a response body arrive, so that the bookmarks of an
// open watch count as signs of life. It is not for judging what was received:
// an answer with an error status is a sign of life too.
package contact

import (
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// Contact remembers when a server was last heard of. Its methods may be called
// by many goroutines at once.
type Contact struct {
	started time.Time
	last    atomic.Int64 // nanoseconds after started
}

// New returns a Contact that counts as heard of now, so that a server that
// never answers grows old from the start.
func New() *Contact {
	return &Contact{started: time.Now()}
}

// Age is the time since the last bytes arrived, or since New when none did.
func (c *Contact) Age() time.Duration {
	return time.Since(c.started) - time.Duration(c.last.Load())
}

// Wrap returns a transport that sends by next and notes what comes back. It
// has the shape that client-go's transport wrappers ask for. Several transports
// may share one Contact.
func (c *Contact) Wrap(next http.RoundTripper) http.RoundTripper {
	return &transport{contact: c, next: next}
}

func (c *Contact) heard() {
	c.last.Store(int64(time.Since(c.started)))
}

type transport struct {
	contact *Contact
	next    http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	t.contact.heard()
	// A 101 answer's body is a connection that must stay writable.
	if resp.StatusCode != http.StatusSwitchingProtocols {
		resp.Body = &body{ReadCloser: resp.Body, contact: t.contact}
	}
	return resp, nil
}

// WrappedRoundTripper lets client-go look through to the real transport, for
// example to close its idle connections.
func (t *transport) WrappedRoundTripper() http.RoundTripper {
	return t.next
}

type body struct {
	io.ReadCloser
	contact *Contact
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.contact.heard()
	}
	return n, err
}

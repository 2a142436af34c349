package client_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// network carries requests to handlers by host, without sockets, so that time in a
// test's bubble passes while they wait. Hosts without a handler refuse the
// connection.
type network struct {
	mu    sync.Mutex
	hosts map[string]host
	asked []string // "HOST METHOD PATH?QUERY"
}

// host is what answers under a name, until it ends.
type host struct {
	handler http.Handler
	ended   context.Context
	end     context.CancelFunc
}

func newNetwork() *network { return &network{hosts: map[string]host{}} }

// serve gives a host its handler, and cuts what is connected to the handler before;
// nil takes it down.
func (n *network) serve(name string, h http.Handler) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if before := n.hosts[name]; before.end != nil {
		before.end()
	}
	next := host{handler: h}
	next.ended, next.end = context.WithCancel(context.Background())
	n.hosts[name] = next
}

// log is what was asked so far.
func (n *network) log() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.asked)
}

// count is how many requests began with a host, a method and a part of the path.
func (n *network) count(prefix string) int {
	total := 0
	for _, request := range n.log() {
		if strings.HasPrefix(request, prefix) {
			total++
		}
	}
	return total
}

// client is an http.Client on the network.
func (n *network) client() *http.Client { return &http.Client{Transport: n} }

// RoundTrip implements http.RoundTripper.
func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	n.asked = append(n.asked, r.URL.Host+" "+r.Method+" "+r.URL.RequestURI())
	on := n.hosts[r.URL.Host]
	n.mu.Unlock()
	for name, values := range r.Header { // as http.Transport
		if strings.ContainsFunc(strings.Join(values, ""), unicode.IsControl) {
			return nil, fmt.Errorf("invalid header field value for %q", name)
		}
	}
	if on.handler == nil {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	unhosted := context.AfterFunc(on.ended, func() { cancel(syscall.ECONNRESET) })
	served := r.Clone(ctx)
	served.RequestURI, served.RemoteAddr = r.URL.RequestURI(), "192.0.2.1:1234"
	if served.Body == nil {
		served.Body = http.NoBody
	}
	body, out := io.Pipe()
	uncut := context.AfterFunc(ctx, func() { body.CloseWithError(context.Cause(ctx)) })
	w := &writer{header: http.Header{}, out: out, began: make(chan struct{})}
	go func() {
		on.handler.ServeHTTP(w, served)
		served.Body.Close()
		w.WriteHeader(http.StatusOK)
		out.Close()
		uncut()
		unhosted()
	}()
	select {
	case <-w.began:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: closing{body, func() { cancel(io.ErrClosedPipe) }}, ContentLength: -1, Request: r,
	}, nil
}

// closing ends the handler when the client is done with the answer.
type closing struct {
	*io.PipeReader
	cancel func()
}

func (c closing) Close() error {
	c.cancel()
	return c.PipeReader.Close()
}

// writer is an http.ResponseWriter whose client reads while the handler writes.
type writer struct {
	header http.Header
	out    *io.PipeWriter
	once   sync.Once
	began  chan struct{} // closed with the head
	status int
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	w.once.Do(func() {
		w.status = status
		close(w.began)
	})
}

func (w *writer) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.out.Write(p)
}

func (w *writer) Flush() { w.WriteHeader(http.StatusOK) }

func (w *writer) SetWriteDeadline(time.Time) error { return nil }

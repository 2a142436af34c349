package httpserver

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
)

// pipeListener accepts connections that live in memory, so that a whole server
// runs in the virtual time of a synctest bubble.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// listen takes the place of Server.listen.
func (l *pipeListener) listen(context.Context, string, string) (net.Listener, error) { return l, nil }

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }

// dial has the form of http.Transport.DialContext.
func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// runInBubble starts a server over pipes. Call it in a synctest bubble; stop
// ends its context and returns what Run returned.
func runInBubble(t *testing.T, ctx context.Context, cfg Config) (l *pipeListener, stop func() error) {
	t.Helper()
	l = newPipeListener()
	s := New(cfg)
	s.listen = l.listen
	if err := s.Listen(ctx); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	synctest.Wait()
	return l, func() error {
		cancel()
		return <-done
	}
}

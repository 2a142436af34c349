package callback

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
)

// network is machines in memory, so that calls to them take part in virtual time.
type network struct {
	mu        sync.Mutex
	listeners map[string]*pipeListener
	dialled   []string
}

func newNetwork() *network { return &network{listeners: make(map[string]*pipeListener)} }

// connect takes the place of a net.Dialer.
func (n *network) connect(ctx context.Context, _, address string) (net.Conn, error) {
	n.mu.Lock()
	l := n.listeners[address]
	n.dialled = append(n.dialled, address)
	n.mu.Unlock()
	if l == nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	}
	return l.dial(ctx)
}

// connectedTo are the addresses that were called, in order.
func (n *network) connectedTo() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.dialled)
}

// listen takes the calls to address.
func (n *network) listen(address string) *pipeListener {
	l := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.listeners[address] = l
	return l
}

// serve has handler answer at address until stop is called or the test ends.
func (n *network) serve(t *testing.T, address string, handler http.Handler) (stop func()) {
	t.Helper()
	l := n.listen(address)
	server := &http.Server{Handler: handler}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(l) // it ends by Close
	}()
	stop = sync.OnceFunc(func() {
		n.mu.Lock()
		if n.listeners[address] == l {
			delete(n.listeners, address)
		}
		n.mu.Unlock()
		_ = server.Close()
		<-done
	})
	t.Cleanup(stop)
	return stop
}

type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *pipeListener) dial(ctx context.Context) (net.Conn, error) {
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

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

package devcluster

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

// Proxy stands between one client and the API server, so that a test can cut
// that client off while the rest of the cluster, and other tests, go on. It
// copies bytes and does not look into TLS. Its methods may be called
// concurrently.
type Proxy struct {
	target   string
	listener net.Listener
	copying  sync.WaitGroup

	mu    sync.Mutex // guards cut and conns
	cut   bool
	conns map[net.Conn]struct{}
}

// StartProxy starts a proxy to the API server on a free loopback port. The
// caller closes it.
func (c *Cluster) StartProxy() (*Proxy, error) {
	return startProxy(c.apiserverAddress())
}

func startProxy(target string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start a proxy: %w", err)
	}
	proxy := &Proxy{target: target, listener: listener, conns: map[net.Conn]struct{}{}}
	proxy.copying.Go(proxy.accept)
	return proxy, nil
}

// Address is the host and port that the client should use.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Cut breaks every connection and every further one at once, until Restore.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for conn := range p.conns {
		conn.Close()
	}
}

// Restore lets connections through again.
func (p *Proxy) Restore() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = false
}

// Close cuts the client off for good and returns when nothing is copied any
// more.
func (p *Proxy) Close() error {
	err := p.listener.Close()
	p.Cut()
	p.copying.Wait()
	return err
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		p.copying.Go(func() { p.serve(client) })
	}
}

func (p *Proxy) serve(client net.Conn) {
	defer client.Close()
	if !p.keep(client) {
		return
	}
	defer p.drop(client)
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return // the client sees what it would have seen: no API server
	}
	defer server.Close()
	if !p.keep(server) {
		return
	}
	defer p.drop(server)

	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		both.Go(func() {
			// Whatever ends one way ends the connection.
			_, _ = io.Copy(way[0], way[1])
			client.Close()
			server.Close()
		})
	}
	both.Wait()
}

// keep remembers conn for Cut; it says false when the proxy is cut.
func (p *Proxy) keep(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		return false
	}
	p.conns[conn] = struct{}{}
	return true
}

func (p *Proxy) drop(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
}

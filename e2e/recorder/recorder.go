package recorder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Exchange is one request and how it was answered.
type Exchange struct {
	At       time.Time // when the request came
	Method   string
	URI      string // path and query, as the client wrote them
	Request  http.Header
	Status   int // 0: not answered
	Response http.Header
	// Sizes of the bodies in bytes, as they went over the wire.
	RequestBytes, ResponseBytes int64
}

// Proxy is a running recorder. Its methods may be called concurrently.
type Proxy struct {
	address string
	forward *httputil.ReverseProxy
	server  *http.Server
	served  chan struct{} // closed when the server has ended

	requests sync.WaitGroup // those in hand

	mu        sync.Mutex // guards the rest
	closed    bool       // no request is taken up any more
	fault     Fault
	changed   chan struct{}  // closed when the fault changes
	hanging   map[string]int // requests, by method
	exchanges []Exchange
}

// Start listens on address, a host and a port, and forwards to target, a URL without
// a path. The proxy runs until Close.
func Start(ctx context.Context, address, target string) (*Proxy, error) {
	to, err := url.Parse(target)
	if err != nil {
		return nil, fmt.Errorf("read the target of the proxy: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen for the proxy: %w", err)
	}
	p := &Proxy{address: listener.Addr().String(), served: make(chan struct{}), changed: make(chan struct{}), hanging: map[string]int{}}
	p.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = to.Scheme, to.Host
		},
		// What the client asks for is what the server is asked for, compression too.
		Transport: &http.Transport{DisableCompression: true},
		// A server that is not there has no answer either.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func() {
		defer close(p.served)
		// Serve always returns an error, after Close the one that says so; anything
		// else shows in the client under test.
		_ = p.server.Serve(listener)
	}()
	return p, nil
}

// Address is the host and port that the proxy listens on.
func (p *Proxy) Address() string { return p.address }

// Close ends the proxy at once, connections that are in use included: to a client it
// is a server that was killed.
func (p *Proxy) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	err := p.server.Close()
	<-p.served
	p.requests.Wait()
	if transport, ok := p.forward.Transport.(*http.Transport); ok {
		transport.CloseIdleConnections()
	}
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// Exchanges returns what was recorded so far, in the order of the answers.
func (p *Proxy) Exchanges() []Exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.exchanges)
}

// ServeHTTP forwards one request, or fails as it was told to.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.takesUp() {
		panic(http.ErrAbortHandler)
	}
	defer p.requests.Done()
	exchange := Exchange{At: time.Now(), Method: r.Method, URI: r.RequestURI, Request: r.Header.Clone()}
	request := &countedBody{ReadCloser: r.Body}
	response := &countedAnswer{ResponseWriter: w}
	r.Body = request
	defer func() {
		exchange.RequestBytes, exchange.ResponseBytes = request.bytes, response.bytes
		exchange.Status, exchange.Response = response.status, response.header
		p.mu.Lock()
		defer p.mu.Unlock()
		p.exchanges = append(p.exchanges, exchange)
	}()
	if !p.fails(response, r) {
		p.forward.ServeHTTP(response, r)
	}
}

func (p *Proxy) takesUp() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.requests.Add(1)
	}
	return !p.closed
}

type countedBody struct {
	io.ReadCloser
	bytes int64
}

func (b *countedBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	b.bytes += int64(n)
	return n, err
}

// countedAnswer notes what a handler writes.
type countedAnswer struct {
	http.ResponseWriter
	status int
	header http.Header
	bytes  int64
}

func (a *countedAnswer) WriteHeader(status int) {
	if status >= 200 { // what is below comes before the answer
		a.status, a.header = status, a.Header().Clone()
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *countedAnswer) Write(content []byte) (int, error) {
	n, err := a.ResponseWriter.Write(content)
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets the forwarder flush.
func (a *countedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

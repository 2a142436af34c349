package recorder

import (
	"io"
	"net/http"
)

// Fault is how a proxy fails.
type Fault int

// What a proxy does with requests that come after Fail.
const (
	None        Fault = iota // they are forwarded
	Unavailable              // they are answered 503, with no body
	Hang                     // they are not answered until the client gives up or the fault ends, which cuts them
	Cut                      // their connections are closed without an answer
)

// Fail makes the proxy fail in the way given, until it is told otherwise. Requests
// that were forwarded before go on.
func (p *Proxy) Fail(fault Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = fault
	close(p.changed)
	p.changed = make(chan struct{})
}

// Hanging is how many requests with the method hang now.
func (p *Proxy) Hanging(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hanging[method]
}

func (p *Proxy) hang(method string, more int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hanging[method] += more
}

// fails reports whether the request was not forwarded.
func (p *Proxy) fails(w http.ResponseWriter, r *http.Request) bool {
	p.mu.Lock()
	fault, changed := p.fault, p.changed
	p.mu.Unlock()
	switch fault {
	case Unavailable:
		w.WriteHeader(http.StatusServiceUnavailable)
	case Hang:
		// Only a request that was read to its end shows that its client has left.
		_, _ = io.Copy(io.Discard, r.Body)
		p.hang(r.Method, 1)
		defer p.hang(r.Method, -1)
		select {
		case <-r.Context().Done():
		case <-changed:
		}
		panic(http.ErrAbortHandler)
	case Cut:
		panic(http.ErrAbortHandler)
	default:
		return false
	}
	return true
}

package geerpc_test

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"
)

// fakeRegistry answers without a network.
type fakeRegistry struct {
	mu    sync.Mutex // guards all below
	list  string
	down  bool
	asked int
	beats []beat
}

// set makes the registry answer with list, or with an error when it is down.
func (r *fakeRegistry) set(list string, down bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list, r.down = list, down
}

// sent is every heartbeat until now.
func (r *fakeRegistry) sent() []beat {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.beats)
}

// requests is how many there were until now.
func (r *fakeRegistry) requests() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.asked
}

// mostRequests is more than any test has a registry asked.
const mostRequests = 1000

// beat is a POST.
type beat struct {
	at     time.Duration
	server string
}

var began time.Time // of the bubble

func (r *fakeRegistry) RoundTrip(request *http.Request) (*http.Response, error) {
	if r.requests() > mostRequests {
		return hang(request) // or a test in fake time would never end
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	if request.Method == http.MethodPost {
		r.beats = append(r.beats, beat{time.Since(began), request.Header.Get("X-Geerpc-Server")})
	}
	if r.down {
		return nil, errors.New("connection refused")
	}
	return &http.Response{
		StatusCode: http.StatusOK, Body: http.NoBody, Request: request,
		Header: http.Header{"X-Geerpc-Servers": {r.list}},
	}, nil
}

// roundTrip is an http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// hang takes a request and does not answer.
func hang(request *http.Request) (*http.Response, error) {
	<-request.Context().Done()
	return nil, request.Context().Err()
}

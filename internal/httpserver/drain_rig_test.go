package httpserver

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// replica is one running server behind the service of the load test.
type replica struct {
	server   *Server
	requests atomic.Int64 // answered since the drain began, or since ever when it did not
	stop     context.CancelFunc
	done     chan error
}

func startReplica(t *testing.T, drain time.Duration, onDrain func(*replica)) *replica {
	t.Helper()
	r := &replica{done: make(chan error, 1)}
	r.server = New(Config{
		Name: "api", Addr: "127.0.0.1:0", Drain: drain, StopTimeout: 10 * time.Second, OnDrain: func() { onDrain(r) },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			io.Copy(w, request.Body) //nolint:errcheck // the clients compare what they get
			r.requests.Add(1)
		}),
	})
	if err := r.server.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.done <- r.server.Run(ctx) }()
	return r
}

func waitForRequests(t *testing.T, r *replica, n int64) {
	t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(30 * time.Second); r.requests.Load() < n; <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s answered %d requests in 30 s, want %d", r.server.Addr(), r.requests.Load(), n)
		}
	}
}

// keepAsking reads and renews in turn until stop is closed.
func keepAsking(t *testing.T, client *http.Client, stop <-chan struct{}) {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		default:
		}
		method, body := http.MethodGet, ""
		if i%2 == 1 {
			method, body = http.MethodPut, "renew"
		}
		got, err := ask(client, method, body)
		if err != nil || got != body {
			t.Errorf("%s = %q, %v, want %q", method, got, err, body)
			return
		}
	}
}

func ask(client *http.Client, method, body string) (string, error) {
	request, err := http.NewRequest(method, "http://eurekube/", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	return string(got), err
}

// worksFor answers after that time, unless the client is gone before.
func worksFor(work time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(work):
			io.WriteString(w, "ok") //nolint:errcheck // the client's view is what is tested
		case <-r.Context().Done():
		}
	})
}

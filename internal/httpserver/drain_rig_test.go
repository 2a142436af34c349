package httpserver

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// replica is one running server behind the service of the load test.
type replica struct {
	listener *pipeListener
	requests atomic.Int64 // answered since the drain began, or since ever when it did not
	stop     context.CancelFunc
	done     chan error
}

func startReplica(t *testing.T, drain time.Duration, onDrain func(*replica)) *replica {
	t.Helper()
	r := &replica{listener: newPipeListener(), done: make(chan error, 1)}
	server := New(Config{
		Name: "api", Drain: drain, StopTimeout: 10 * time.Second, OnDrain: func() { onDrain(r) },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			time.Sleep(5 * time.Millisecond)
			io.Copy(w, request.Body) //nolint:errcheck // the clients compare what they get
			r.requests.Add(1)
		}),
	})
	server.listen = r.listener.listen
	if err := server.Listen(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.done <- server.Run(ctx) }()
	return r
}

// keepAsking reads and renews in turn, with a pause after each, until stop is
// closed. A connection may end only when an answer has said that it is the last on
// it: in any other a request may be on its way.
func keepAsking(t *testing.T, client *http.Client, pause time.Duration, stop <-chan struct{}) {
	reused, last := false, true // this request's connection is that of the one before, whose answer was the last on it
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(c httptrace.GotConnInfo) { reused = c.Reused }})
	for i := 0; ; i++ {
		select {
		case <-stop:
			return
		case <-time.After(pause):
		}
		method, body := http.MethodGet, ""
		if i%2 == 1 {
			method, body = http.MethodPut, "renew"
		}
		got, announced, err := ask(ctx, client, method, body)
		if err != nil || got != body {
			t.Errorf("%s = %q, %v, want %q", method, got, err, body)
			return
		}
		if !reused && !last {
			t.Error("a connection ended though no answer said so")
		}
		last = announced
	}
}

// ask returns the body of the answer, and whether it says that it is the last on
// its connection.
func ask(ctx context.Context, client *http.Client, method, body string) (got string, last bool, err error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://eurekube/", strings.NewReader(body))
	if err != nil {
		return "", false, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", false, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), answer.Close, err
}

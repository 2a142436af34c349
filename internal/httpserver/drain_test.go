package httpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestFieldCase105_StopLosesNoRequest keeps clients busy on kept-alive
// connections to a service of two replicas and stops one. The service forgets
// that replica some time after it said that it is not ready, as a real one does.
func TestFieldCase105_StopLosesNoRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const drain = 4 * time.Second
		var service atomic.Pointer[replica] // where new connections go
		second := startReplica(t, 0, func(*replica) {})
		first := startReplica(t, drain, func(r *replica) {
			r.requests.Store(0)
			time.AfterFunc(drain/4, func() { service.Store(second) })
		})
		service.Store(first)

		stopLoad := make(chan struct{})
		var load sync.WaitGroup
		for n := range 8 {
			load.Go(func() {
				transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
					return service.Load().listener.dial(ctx, network, addr)
				}}
				defer transport.CloseIdleConnections()
				keepAsking(t, &http.Client{Transport: transport}, time.Duration(n+1)*7*time.Millisecond, stopLoad)
			})
		}
		time.Sleep(time.Second)
		first.stop()
		if err := <-first.done; err != nil {
			t.Errorf("Run() of the stopped replica = %v, want nil", err)
		}
		time.Sleep(time.Second)
		close(stopLoad)
		load.Wait()
		second.stop()
		if err := <-second.done; err != nil {
			t.Errorf("Run() of the second replica = %v, want nil", err)
		}
		if first.requests.Load() == 0 || second.requests.Load() == 0 {
			t.Errorf("%d requests were answered by the stopped replica while it drained and %d by the other: the load proved nothing", first.requests.Load(), second.requests.Load())
		}
	})
}

// TestDrain_Order follows one waiting connection through a drain: it is not cut
// when the drain starts, and its next answer is announced as its last.
func TestDrain_Order(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		ctx, cancel := context.WithCancel(t.Context())
		l, stop := runInBubble(t, ctx, Config{Name: "api", Handler: answerOK, Drain: 5 * time.Second, OnDrain: func() { told++ }})
		dials := 0
		transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			dials++
			return l.dial(ctx, network, addr)
		}}
		client := &http.Client{Transport: transport}
		get := func() (announced bool, err error) {
			answer, err := client.Get("http://server/")
			if err != nil {
				return false, err
			}
			defer answer.Body.Close()
			_, err = io.Copy(io.Discard, answer.Body)
			return answer.Close, err
		}

		if announced, err := get(); err != nil || announced {
			t.Errorf("before the drain: connection ends = %v, %v, want a connection that stays", announced, err)
		}
		start := time.Now()
		cancel()
		synctest.Wait()
		if told != 1 {
			t.Errorf("OnDrain was called %d times when the drain started, want once", told)
		}
		time.Sleep(4 * time.Second)
		if announced, err := get(); err != nil || !announced {
			t.Errorf("during the drain: connection ends = %v, %v, want its end announced", announced, err)
		}
		if dials != 1 {
			t.Errorf("the client dialled %d times, want the waiting connection to serve both requests", dials)
		}
		if err := stop(); err != nil {
			t.Errorf("Run() = %v, want nil", err)
		}
		if got := time.Since(start); got != 5*time.Second {
			t.Errorf("Run() ended %v after its context, want 5s", got)
		}
		if _, err := get(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("after the drain: %v, want a closed listener", err)
		}
	})
}

// TestDrain_RequestsInFlight stops a server whose handler is at work: the answer
// is waited for, but not for ever, and Run is not in error either way.
func TestDrain_RequestsInFlight(t *testing.T) {
	tests := []struct {
		name              string
		drain, stop, work time.Duration
		answered          bool
		want              time.Duration
	}{
		{name: "ends in time", stop: 10 * time.Second, work: 3 * time.Second, answered: true, want: 3 * time.Second},
		{name: "ends while the server drains", drain: 5 * time.Second, stop: time.Second, work: 3 * time.Second, answered: true, want: 5 * time.Second},
		{name: "outlives the stop", stop: 10 * time.Second, work: time.Minute, want: 10 * time.Second},
		{name: "outlives a short stop", stop: time.Second, work: time.Minute, want: time.Second},
		{name: "outlives drain and stop", drain: 5 * time.Second, stop: 10 * time.Second, work: time.Minute, want: 15 * time.Second},
		{name: "no time to stop", work: time.Minute, want: 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, stop := runInBubble(t, t.Context(), Config{Name: "api", Handler: worksFor(tt.work), Drain: tt.drain, StopTimeout: tt.stop})
				client := &http.Client{Transport: &http.Transport{DialContext: l.dial}}
				answers := make(chan error, 1)
				go func() {
					_, _, err := ask(t.Context(), client, http.MethodGet, "")
					answers <- err
				}()
				synctest.Wait()
				start := time.Now()
				if err := stop(); err != nil {
					t.Errorf("Run() = %v, want nil", err)
				}
				// Shutdown looks for the end of requests every half second at most.
				if got := time.Since(start); got < tt.want || got > tt.want+500*time.Millisecond {
					t.Errorf("Run() ended %v after its context, want %v", got, tt.want)
				}
				if err := <-answers; (err == nil) != tt.answered {
					t.Errorf("the request in flight ended with %v, want answered = %v", err, tt.answered)
				}
				client.CloseIdleConnections()
			})
		})
	}
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

// TestDrain_WhatWaitsEndsWithIt has a handler wait for OnStop: it answers through
// the whole drain, and when it is told to end, nobody can ask again.
func TestDrain_WhatWaitsEndsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const drain = 5 * time.Second
		stopping := make(chan struct{})
		l, stop := runInBubble(t, t.Context(), Config{
			Name: "api", Drain: drain, StopTimeout: 10 * time.Second, OnStop: func() { close(stopping) },
			Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				<-stopping
				answerOK(w, r)
			}),
		})
		client := &http.Client{Transport: &http.Transport{DialContext: l.dial}}
		answers := make(chan *http.Response, 1)
		go func() {
			defer close(answers)
			answer, err := client.Get("http://server/")
			if err != nil {
				t.Errorf("the request that waited = %v, want an answer", err)
				return
			}
			answers <- answer
		}()
		synctest.Wait()
		told := time.Now()
		ended := make(chan error, 1)
		go func() { ended <- stop() }()
		if answer := <-answers; answer != nil {
			if got := time.Since(told); got != drain || !answer.Close {
				t.Errorf("the request that waited was answered after %v, last on its connection %v; want %v and true", got, answer.Close, drain)
			}
			answer.Body.Close()
		}
		if _, err := client.Get("http://server/"); !errors.Is(err, net.ErrClosed) {
			t.Errorf("asking again = %v, want a closed listener", err)
		}
		if err := <-ended; err != nil {
			t.Errorf("Run() = %v, want nil", err)
		}
	})
}

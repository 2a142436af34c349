package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/internal/httpserver"
)

// pipes is a listener whose connections live in memory, so that a whole server runs
// in the fake time of a bubble.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// listen serves handler within timeouts until the end of the test, and returns what
// connects to it.
func (r *rig) listen(handler http.Handler, timeouts httpserver.Timeouts, protocols *http.Protocols) (dial func() net.Conn) {
	listener, ended := make(pipes), make(chan struct{})
	server := &http.Server{
		Handler: handler, Protocols: protocols, ReadHeaderTimeout: timeouts.Header, ReadTimeout: timeouts.Read,
		WriteTimeout: timeouts.Write, IdleTimeout: timeouts.Idle,
	}
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // it ends with the listener
	}()
	r.Cleanup(func() {
		close(listener)
		<-ended
		server.Close()
	})
	return func() net.Conn {
		client, conn := net.Pipe()
		listener <- conn
		return client
	}
}

// client is one of the API, within the timeouts of the program's flags. Both sides
// speak one of the protocols only.
func (r *rig) client(protocols *http.Protocols) *http.Client {
	dial := r.listen(r.api, r.timeouts, protocols)
	transport := &http.Transport{Protocols: protocols, DialContext: func(context.Context, string, string) (net.Conn, error) { return dial(), nil }}
	r.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// TestServe_WhatWaitsOutlastsTheTimeouts has requests wait for longer than one may
// take to be read and an answer to be written.
func TestServe_WhatWaitsOutlastsTheTimeouts(t *testing.T) {
	one, two := new(http.Protocols), new(http.Protocols)
	one.SetHTTP1(true)
	two.SetUnencryptedHTTP2(true) // as with TLS, from the first byte on
	flags := []string{"--header-timeout=5s", "--write-timeout=10s"}
	for major, protocols := range map[int]*http.Protocols{1: one, 2: two} {
		t.Run(fmt.Sprintf("long poll over HTTP/%d", major), func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.serve(flags...)
				r.pollFor(40*time.Second, r.client(protocols), major)
			})
		})
		t.Run(fmt.Sprintf("stream over HTTP/%d", major), func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.serve(flags...)
				r.streamFor(time.Minute, r.client(protocols), major)
			})
		})
	}
}

// pollFor has a poll wait as long as it asks for.
func (r *rig) pollFor(wait time.Duration, client *http.Client, major int) {
	r.Helper()
	start := time.Now()
	answer, err := client.Get("http://eurekube/eureka/apps/delta?wait=" + wait.String())
	if err != nil {
		r.Fatal(err)
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	if took := time.Since(start); err != nil || answer.StatusCode != http.StatusOK || took != wait || answer.ProtoMajor != major {
		r.Errorf("answer = %d over %s after %v, %v; want 200 after %v", answer.StatusCode, answer.Proto, took, err, wait)
	}
}

// streamFor reads a stream all the time, on which a pod is the first event after so
// long.
func (r *rig) streamFor(silence time.Duration, client *http.Client, major int) {
	r.Helper()
	answer, err := client.Get("http://eurekube/eureka/stream?app=orders")
	if err != nil {
		r.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.ProtoMajor != major {
		r.Errorf("the stream is on %s, want HTTP/%d", answer.Proto, major)
	}
	time.AfterFunc(silence, func() {
		if err := r.cluster.Tracker().Add(pod("a", "10.0.0.5", "orders")); err != nil {
			r.Error(err)
		}
	})
	body := bufio.NewReader(answer.Body)
	for line := ""; !strings.Contains(line, `"instanceId":"10.0.0.5:orders:8080"`); {
		if line, err = body.ReadString('\n'); err != nil {
			r.Fatalf("the stream ended with %v, want the pod", err)
		}
	}
}

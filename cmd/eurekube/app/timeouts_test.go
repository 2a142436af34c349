package app

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
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

// listen serves the API with the timeouts of the program's flags until the end of
// the test, and returns a client of it.
func (r *rig) listen() *http.Client {
	listener, ended := make(pipes), make(chan struct{})
	server := &http.Server{
		Handler: r.api, ReadHeaderTimeout: r.timeouts.Header, ReadTimeout: r.timeouts.Read,
		WriteTimeout: r.timeouts.Write, IdleTimeout: r.timeouts.Idle,
	}
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // it ends with the listener
	}()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		client, conn := net.Pipe()
		listener <- conn
		return client, nil
	}}
	r.Cleanup(func() {
		transport.CloseIdleConnections()
		close(listener)
		<-ended
		server.Close()
	})
	return &http.Client{Transport: transport}
}

// TestServe_WhatWaitsOutlastsTheTimeouts has requests wait for longer than one may
// take to be read and an answer to be written.
func TestServe_WhatWaitsOutlastsTheTimeouts(t *testing.T) {
	flags := []string{"--header-timeout=5s", "--write-timeout=10s"}
	t.Run("long poll", func(t *testing.T) {
		inBubble(t, func(r *rig) {
			r.serve(flags...)
			start := time.Now()
			answer, err := r.listen().Get("http://eurekube/eureka/apps/delta?wait=40s")
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			_, err = io.Copy(io.Discard, answer.Body)
			if took := time.Since(start); err != nil || answer.StatusCode != http.StatusOK || took != 40*time.Second {
				t.Errorf("answer = %d after %v, %v; want 200 after 40s", answer.StatusCode, took, err)
			}
		})
	})
	t.Run("stream", func(t *testing.T) {
		inBubble(t, func(r *rig) {
			r.serve(flags...)
			answer, err := r.listen().Get("http://eurekube/eureka/stream?app=orders")
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			time.AfterFunc(time.Minute, func() { // it is read all the time
				if err := r.cluster.Tracker().Add(pod("a", "10.0.0.5", "orders")); err != nil {
					t.Error(err)
				}
			})
			body := bufio.NewReader(answer.Body)
			for line := ""; !strings.Contains(line, `"instanceId":"10.0.0.5:orders:8080"`); {
				if line, err = body.ReadString('\n'); err != nil {
					t.Fatalf("the stream ended with %v, want the pod", err)
				}
			}
		})
	})
}

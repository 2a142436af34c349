package client_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka/client"
)

// TestHostileServers has a server turn hostile: the list that it gave before is
// kept, and what is read of it has a bound.
func TestHostileServers(t *testing.T) {
	endless := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat(" ", 32<<10)); err != nil {
				return
			}
		}
	}
	tests := []struct {
		name string
		turn http.HandlerFunc
	}{
		{"endless body", endless},
		{"endless event", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "event: reset\ndata: ")
			endless(w, r)
		}},
		{"event without an end", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, "data: "+strings.Repeat("x", 1000)+"\n"); err != nil {
					return
				}
			}
		}},
		{"slow head", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		{"slow body", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, "{")
				hold(r, time.Second)
			}
		}},
		{"cut body", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"applications":{"appl`) }},
		{"page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `<html>`) }},
		{"empty body", func(http.ResponseWriter, *http.Request) {}},
		{"another document", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"error":"no upstream"}`) }},
		{"500", answer(http.StatusInternalServerError)},
		{"204", answer(http.StatusNoContent)},
		{"redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://evil/", http.StatusFound) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				one := instance("ORDERS", "1")
				s, n := &script{full: list("", "", one), delta: list("", "UP_1_")}, newNetwork()
				n.serve("a", s)
				n.serve("evil", list("", "", instance("ORDERS", "9")))
				on := servers(t, n, "a")
				client.Bound(on, 128<<10)
				d := discover(t, on, client.DiscoveryConfig{})
				synctest.Wait()
				s.set(func(s *script) { s.full, s.delta, s.stream = tt.turn, tt.turn, tt.turn })
				time.Sleep(20 * time.Minute)
				if diff := cmp.Diff([]string{"1"}, ids(d.Instances("ORDERS"))); diff != "" {
					t.Errorf("instances (-want +got):\n%s", diff)
				}
				if asked := len(n.log()); asked > 150 {
					t.Errorf("%d requests in 20 minutes, want that it backs off to the interval", asked)
				}
				if n.count("evil ") != 0 {
					t.Error("a redirect was followed")
				}
				s.set(func(s *script) {
					s.full, s.delta, s.stream = list("", "", instance("ORDERS", "2")), list("", "UP_1_"), nil
				})
				time.Sleep(2 * time.Minute)
				if diff := cmp.Diff([]string{"2"}, ids(d.Instances("ORDERS"))); diff != "" {
					t.Errorf("instances once it behaves (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestInflationIsBounded reads over a real transport, which inflates.
func TestInflationIsBounded(t *testing.T) {
	var asked atomic.Int32
	url := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > 1 {
			plain(list("", "")).ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		_, _ = io.WriteString(z, strings.Repeat(" ", 4<<20)+document("", instance("ORDERS", "1")))
	}))
	s, err := client.NewServers(client.Config{ServiceURLs: []string{url}})
	if err != nil {
		t.Fatal(err)
	}
	client.Bound(s, 1<<20)
	d := discover(t, s, client.DiscoveryConfig{Interval: 10 * time.Millisecond})
	if err := d.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := d.Instances("ORDERS"); got != nil || d.Stats().Failures == 0 {
		t.Errorf("instances = %q with %+v, want that the answer of 4 MiB failed", ids(got), d.Stats())
	}
}

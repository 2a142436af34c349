package clients

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/recorder"
	"github.com/eurekube/eurekube/e2e/suite"
)

// exchanges are those of all proxies that keep is true for.
func (r *rig) exchanges(keep func(recorder.Exchange) bool) []recorder.Exchange {
	var kept []recorder.Exchange
	for _, proxy := range r.proxies {
		for _, exchange := range proxy.Exchanges() {
			if keep(exchange) {
				kept = append(kept, exchange)
			}
		}
	}
	return kept
}

// fullReads counts the answers that held the whole registry.
func (r *rig) fullReads() int {
	return len(r.exchanges(func(e recorder.Exchange) bool { return isRead(e, "/apps") && e.Status == http.StatusOK }))
}

// isRead reports whether the exchange is a GET of the path below the service URL,
// whatever its query.
func isRead(e recorder.Exchange, path string) bool {
	read, _, _ := strings.Cut(e.URI, "?")
	return e.Method == http.MethodGet && strings.TrimSuffix(strings.TrimPrefix(read, "/eureka"), "/") == path
}

// expectAnswered fails the test when the server refused anything that the client
// asked, but for what is not there, such as the lease of a heartbeat, and for what a
// proxy answered in its place.
func (r *rig) expectAnswered(t *testing.T) {
	t.Helper()
	for _, e := range r.exchanges(func(e recorder.Exchange) bool { return e.Status >= 400 }) {
		absent := e.Status == http.StatusNotFound && (e.Method == http.MethodPut || e.Method == http.MethodGet)
		if !absent && e.Status != http.StatusServiceUnavailable {
			t.Errorf("%s %s was answered %d", e.Method, e.URI, e.Status)
		}
	}
}

// expectReads waits until the client has read that many times more.
func (r *rig) expectReads(t *testing.T, more int) {
	t.Helper()
	before := len(r.exchanges(isAnyRead))
	suite.Eventually(t, time.Duration(more)*r.interval+soon, func() error {
		if now := len(r.exchanges(isAnyRead)) - before; now < more {
			return fmt.Errorf("it has read %d times, want %d", now, more)
		}
		return nil
	})
}

// readsSince counts how many times the client has read the registry, as a whole or by
// delta, beginning after the time given. Some clients do both to take in one change.
func (r *rig) readsSince(since time.Time) int {
	count := func(path string) int {
		return len(r.exchanges(func(e recorder.Exchange) bool {
			return isRead(e, path) && e.Status == http.StatusOK && e.At.After(since)
		}))
	}
	return max(count("/apps"), count("/apps/delta"))
}

// givenUp counts the reads and heartbeats that the client has given up, as some do when
// one takes longer than an interval. What such a read was answered it does not take in.
func (r *rig) givenUp() int {
	log, err := os.ReadFile(r.logPath)
	if err != nil {
		return 0 // it says nothing yet
	}
	return strings.Count(string(log), timedOut)
}

// isAnyRead reports whether the exchange is an answered read of instances.
func isAnyRead(e recorder.Exchange) bool {
	return e.Method == http.MethodGet && e.Status == http.StatusOK
}

// refusals counts what the proxies have answered with 503.
func (r *rig) refusals(proxies ...*recorder.Proxy) int {
	refused := 0
	for _, proxy := range proxies {
		for _, exchange := range proxy.Exchanges() {
			if exchange.Status == http.StatusServiceUnavailable {
				refused++
			}
		}
	}
	return refused
}

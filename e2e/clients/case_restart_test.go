package clients

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/e2e/recorder"
	"github.com/eurekube/eurekube/e2e/suite"
)

// The server dies, stays away for some heartbeats, and one that knows nothing takes
// its place.
func expectRestart(t *testing.T, r *rig) {
	s, a := r.server, r.application
	want := r.withDemo(nil)
	if err := errors.Join(s.Kill(), r.proxies[0].Close()); err != nil {
		t.Fatal(err)
	}
	suite.Throughout(t, 3*r.interval, func() error {
		if r.can("Unavailable") {
			return a.isDiscovered(t.Context(), want)
		}
		return nil
	})

	s.start(t)
	r.proxies[0] = startProxy(t, r.proxies[0].Address(), s)
	if r.blocks {
		r.proxies[0].Fail(recorder.Cut)
		r.expectFailedRead(t, r.proxies[0])
		r.proxies[0].Fail(recorder.None)
	}
	if r.registers() {
		s.expectListed(t, a.app, "UP")
		if refused := r.refusedHeartbeats(); refused > 3 {
			t.Errorf("%d heartbeats were answered 404 before it registered again, want at most three", refused)
		}
		s.expectRenewals(t, a, 3*r.interval, nil)
	}
	r.expectReads(t, 2)
	a.expectDiscovered(t, soon, want)
}

// refusedHeartbeats counts the heartbeats that were answered 404. Some clients escape
// the colons of an id.
func (r *rig) refusedHeartbeats() int {
	want := "/eureka/apps/" + r.application.app + "/" + r.application.id
	return len(r.exchanges(func(e recorder.Exchange) bool {
		escaped, _, _ := strings.Cut(e.URI, "?")
		path, err := url.PathUnescape(escaped)
		return err == nil && strings.EqualFold(path, want) && e.Method == http.MethodPut && e.Status == http.StatusNotFound
	}))
}

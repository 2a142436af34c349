package clients

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/eurekube/eurekube/e2e/recorder"
	"github.com/eurekube/eurekube/e2e/suite"
)

func expectUnavailable(t *testing.T, r *rig) {
	for _, proxy := range r.proxies {
		proxy.Fail(recorder.Unavailable)
	}
	r.expectListKept(t, r.isRefused)
	r.expectRecovery(t)
}

// The servers take requests and never answer them, until they are killed and others
// take their place.
func expectHang(t *testing.T, r *rig) {
	for _, proxy := range r.proxies {
		proxy.Fail(recorder.Hang)
	}
	hang := func() error {
		for _, proxy := range r.proxies {
			if proxy.Hanging(http.MethodGet) > 0 {
				return nil
			}
		}
		return errors.New("no read hangs")
	}
	r.expectListKept(t, hang)
	for _, proxy := range r.proxies {
		proxy.Fail(recorder.Cut)
	}
	r.expectRecovery(t)
}

// expectListKept expects the client to keep what it knows for three intervals, and
// from then on until seen is content.
func (r *rig) expectListKept(t *testing.T, seen func() error) {
	t.Helper()
	want := r.withDemo(nil)
	kept := func() error { return r.application.isDiscovered(t.Context(), want) }
	suite.Throughout(t, 3*r.interval, kept)
	suite.Eventually(t, soon, func() error {
		if err := kept(); err != nil {
			t.Fatal(err)
		}
		return seen()
	})
}

// expectRecovery ends the faults of the proxies and waits until the client is as
// before.
func (r *rig) expectRecovery(t *testing.T) {
	t.Helper()
	if r.blocks {
		r.expectFailedRead(t, r.proxies[1])
	}
	for _, proxy := range r.proxies {
		proxy.Fail(recorder.None)
	}
	books := guest{server: r.server, service: "books", host: "127.0.0.2"}
	books.register(t)
	r.expectDiscovered(t, soon+3*r.interval, books.urls())
	books.cancel(t)
	r.expectDiscovered(t, soon, nil)
	r.expectKept(t)
}

// isRefused returns an error until each proxy that the client may ask has answered 503.
func (r *rig) isRefused() error {
	for i, proxy := range r.proxies {
		if r.refusals(proxy) == 0 && (i == 0 || r.can("SecondServiceURL")) {
			return fmt.Errorf("no request through proxy %d was answered 503", i)
		}
	}
	return nil
}

// expectFailedRead waits until a read through the proxy, the last that the client
// tries, has failed.
func (r *rig) expectFailedRead(t *testing.T, proxy *recorder.Proxy) {
	t.Helper()
	seen := len(proxy.Exchanges())
	suite.Eventually(t, r.interval+soon, func() error {
		for _, exchange := range proxy.Exchanges()[seen:] {
			if exchange.Method == http.MethodGet && exchange.Status != http.StatusOK {
				return nil
			}
		}
		return errors.New("no read failed")
	})
}

// expectKept waits until the client's own heartbeats are as before.
func (r *rig) expectKept(t *testing.T) {
	t.Helper()
	if r.registers() {
		r.server.expectListed(t, r.application.app, "UP")
		r.server.expectRenewals(t, r.application, 2*r.interval, nil)
	}
}

func expectSecondServiceURL(t *testing.T, r *rig) {
	first, second := r.proxies[0], r.proxies[1]
	before := r.refusals(first, second)
	books := guest{server: r.server, service: "books", host: "127.0.0.2"}

	r.expectReads(t, 1) // see client.blocks
	first.Fail(recorder.Unavailable)
	seen := len(second.Exchanges())
	books.register(t)
	r.expectDiscovered(t, soon+3*r.interval, books.urls())
	if r.registers() {
		suite.Eventually(t, soon, func() error { return isRenewed(second.Exchanges()[seen:]) })
	}

	first.Fail(recorder.None)
	second.Fail(recorder.Unavailable)
	books.cancel(t)
	r.expectDiscovered(t, soon+3*r.interval, nil)
	second.Fail(recorder.None)
	r.expectKept(t)
	if r.refusals(first, second) == before {
		t.Error("no request was answered 503, so nothing was seen")
	}
}

// isRenewed returns an error until a heartbeat was answered 200.
func isRenewed(exchanges []recorder.Exchange) error {
	for _, exchange := range exchanges {
		if exchange.Method == http.MethodPut && exchange.Status == http.StatusOK {
			return nil
		}
	}
	return errors.New("no heartbeat went through the second service URL")
}

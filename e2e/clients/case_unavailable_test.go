package clients

import (
	"errors"
	"net/http"
	"testing"

	"github.com/eurekube/eurekube/e2e/recorder"
	"github.com/eurekube/eurekube/e2e/suite"
)

func expectUnavailable(t *testing.T, r *rig) {
	first, second := r.proxies[0], r.proxies[1]
	books := guest{server: r.server, service: "books", host: "127.0.0.2"}

	first.Fail(recorder.Unavailable)
	second.Fail(recorder.Unavailable)
	want := r.withDemo(nil)
	suite.Throughout(t, 3*r.interval, func() error { return r.application.isDiscovered(t.Context(), want) })

	second.Fail(recorder.None)
	books.register(t)
	r.expectDiscovered(t, soon+3*r.interval, books.urls())
	if r.registers() {
		suite.Eventually(t, soon, func() error { return r.isRenewedThrough(second) })
	}

	first.Fail(recorder.None)
	second.Fail(recorder.Unavailable)
	books.cancel(t)
	r.expectDiscovered(t, soon+3*r.interval, nil)
	second.Fail(recorder.None)
	if r.registers() {
		r.server.expectListed(t, r.application.app, "UP")
		r.server.expectRenewals(t, r.application, 2*r.interval, nil)
	}
	for i, proxy := range r.proxies {
		refused := 0
		for _, exchange := range proxy.Exchanges() {
			if exchange.Status == http.StatusServiceUnavailable {
				refused++
			}
		}
		if refused == 0 {
			t.Errorf("no request was answered 503 at service URL %d, so nothing was seen", i+1)
		}
	}
}

// isRenewedThrough returns an error until a heartbeat was answered 200 by the proxy.
func (r *rig) isRenewedThrough(proxy *recorder.Proxy) error {
	for _, exchange := range proxy.Exchanges() {
		if exchange.Method == http.MethodPut && exchange.Status == http.StatusOK {
			return nil
		}
	}
	return errors.New("no heartbeat went through the second service URL")
}

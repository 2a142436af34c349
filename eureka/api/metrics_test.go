package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

func TestFieldCase107_RequestsAreCountedByRouteNotByName(t *testing.T) {
	reg := prometheus.NewPedanticRegistry()
	a := New(Config{Snapshot: func() *snapshot.Snapshot { return nil }, Registerer: reg})
	for _, request := range []struct{ method, path string }{
		{"GET", "/eureka/apps"}, {"GET", "/eureka/v2/apps/"}, {"GET", "/eureka/apps/delta"},
		{"GET", "/eureka/apps/ONE"}, {"GET", "/eureka/apps/TWO"},
		{"GET", "/made/up"}, {"BREW", "/also/made/up"}, {"PUT", "/eureka/apps/ONE/i1"},
	} {
		a.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), request.method, request.path, http.NoBody))
	}
	const want = `
# HELP eurekube_http_requests_total Requests of the Eureka API, by route, method, status code and format of the answer.
# TYPE eurekube_http_requests_total counter
eurekube_http_requests_total{code="404",format="none",method="GET",route="unmatched"} 1
eurekube_http_requests_total{code="404",format="none",method="other",route="unmatched"} 1
eurekube_http_requests_total{code="405",format="none",method="PUT",route="/apps/{app}/{id}"} 1
eurekube_http_requests_total{code="503",format="none",method="GET",route="/apps"} 2
eurekube_http_requests_total{code="503",format="none",method="GET",route="/apps/delta"} 1
eurekube_http_requests_total{code="503",format="none",method="GET",route="/apps/{app}"} 2
`
	if err := testutil.GatherAndCompare(reg, strings.NewReader(want), "eurekube_http_requests_total"); err != nil {
		t.Error(err)
	}
}

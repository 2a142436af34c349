package telemetry

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/eurekube/eurekube/internal/buildinfo"
)

func TestAdmin(t *testing.T) {
	failing := func() error { return errors.New("pods are not synced") }
	pods := map[string]http.Handler{"/pods": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "pods of "+r.URL.Query().Get("namespace")) //nolint:errcheck // the recorder keeps it
	})}
	tests := []struct {
		name   string
		admin  Admin
		method string
		target string
		code   int
		body   string // part of it
	}{
		{name: "ready", method: http.MethodGet, target: "/readyz", code: http.StatusOK, body: "ok"},
		{name: "not ready", admin: Admin{Ready: failing}, method: http.MethodGet, target: "/readyz", code: http.StatusServiceUnavailable, body: "pods are not synced"},
		{name: "not ready is still live", admin: Admin{Ready: failing}, method: http.MethodGet, target: "/healthz", code: http.StatusOK, body: "ok"},
		{name: "not live", admin: Admin{Live: failing}, method: http.MethodGet, target: "/healthz", code: http.StatusServiceUnavailable, body: "pods are not synced"},
		{name: "HEAD as load balancers probe", method: http.MethodHead, target: "/readyz", code: http.StatusOK},
		{name: "metrics", method: http.MethodGet, target: "/metrics", code: http.StatusOK, body: "go_goroutines"},
		{name: "process metrics", method: http.MethodGet, target: "/metrics", code: http.StatusOK, body: "process_cpu_seconds_total"},
		{name: "profiles", method: http.MethodGet, target: "/debug/pprof/", code: http.StatusOK, body: "goroutine"},
		{name: "one profile", method: http.MethodGet, target: "/debug/pprof/goroutine?debug=1", code: http.StatusOK, body: "goroutine profile"},
		{name: "further handler", admin: Admin{Handlers: pods}, method: http.MethodGet, target: "/pods?namespace=shop", code: http.StatusOK, body: "pods of shop"},
		{name: "no such path", method: http.MethodGet, target: "/pods", code: http.StatusNotFound},
		{name: "the root lists the paths", admin: Admin{Handlers: pods}, method: http.MethodGet, target: "/", code: http.StatusOK, body: "/debug/pprof/\n/healthz\n/metrics\n/pods\n/readyz\n"},
		{name: "the root is read only", method: http.MethodPost, target: "/", code: http.StatusMethodNotAllowed},
		{name: "nothing else is the root", method: http.MethodGet, target: "/index.html", code: http.StatusNotFound},
		{name: "reads only", method: http.MethodPost, target: "/readyz", code: http.StatusMethodNotAllowed},
		{name: "reads only, further handler", admin: Admin{Handlers: pods}, method: http.MethodDelete, target: "/pods", code: http.StatusMethodNotAllowed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.admin.Gatherer = NewRegistry()
			answer := httptest.NewRecorder()
			tt.admin.Handler().ServeHTTP(answer, httptest.NewRequest(tt.method, tt.target, nil))
			if answer.Code != tt.code || !strings.Contains(answer.Body.String(), tt.body) {
				t.Errorf("%s %s = %d %.200q, want %d with %q", tt.method, tt.target, answer.Code, answer.Body, tt.code, tt.body)
			}
			if allow := answer.Header().Get("Allow"); (answer.Code == http.StatusMethodNotAllowed) != (allow == "GET, HEAD") {
				t.Errorf("%s %s = %d with Allow %q", tt.method, tt.target, answer.Code, allow)
			}
		})
	}
}

func TestBuildInfo(t *testing.T) {
	build := buildinfo.Read()
	want := `
# HELP eurekube_build_info Always 1; the labels say which version, commit and Go release is running.
# TYPE eurekube_build_info gauge
eurekube_build_info{goversion="` + build.GoVersion + `",revision="` + build.Revision + `",version="` + build.Version + `"} 1
`
	if err := testutil.GatherAndCompare(NewRegistry(), strings.NewReader(want), "eurekube_build_info"); err != nil {
		t.Error(err)
	}
}

func TestBuildInfo_Lint(t *testing.T) {
	problems, err := testutil.GatherAndLint(NewRegistry(), "eurekube_build_info")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

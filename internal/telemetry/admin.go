package telemetry

import (
	"io"
	"net/http"
	"net/http/pprof"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Admin says what the admin port serves. Probes are asked every few seconds and
// on many goroutines at once, so they read memory and nothing else.
type Admin struct {
	// Gatherer is shown on /metrics.
	Gatherer prometheus.Gatherer
	// Live answers /healthz: an error has the process restarted. Nil is always
	// live.
	Live func() error
	// Ready answers /readyz: an error, which is shown as the reason, takes the
	// server out of the Service until it is gone. Nil is always ready.
	Ready func() error
	// Handlers are further paths.
	Handlers Handlers
}

// Handlers are handlers by path, such as "/pods".
type Handlers map[string]http.Handler

// Handler returns the admin port's handler: /metrics, /healthz, /readyz,
// /debug/pprof/ and the further Handlers, all for GET and HEAD only; / lists them.
// A Handlers path that is one of the others panics, as http.ServeMux does.
func (a Admin) Handler() http.Handler {
	mux := http.NewServeMux()
	get := func(path string, handler http.Handler) { mux.Handle("GET "+path, handler) } // HEAD included
	get("/metrics", promhttp.HandlerFor(a.Gatherer, promhttp.HandlerOpts{}))
	get("/healthz", probe(a.Live))
	get("/readyz", probe(a.Ready))
	get("/debug/pprof/", http.HandlerFunc(pprof.Index))
	get("/debug/pprof/cmdline", http.HandlerFunc(pprof.Cmdline))
	get("/debug/pprof/profile", http.HandlerFunc(pprof.Profile))
	get("/debug/pprof/symbol", http.HandlerFunc(pprof.Symbol))
	get("/debug/pprof/trace", http.HandlerFunc(pprof.Trace))
	paths := []string{"/metrics", "/healthz", "/readyz", "/debug/pprof/"}
	for path, handler := range a.Handlers {
		get(path, handler)
		paths = append(paths, path)
	}
	get("/{$}", index(paths))
	return mux
}

// index answers with paths, sorted, one on each line.
func index(paths []string) http.Handler {
	slices.Sort(paths)
	text := strings.Join(paths, "\n") + "\n"
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, text) //nolint:errcheck // the reader is gone, or has it
	})
}

// probe answers 200 "ok", or 503 with the reason in plain text.
func probe(check func() error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if check != nil {
			if err := check(); err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		io.WriteString(w, "ok\n") //nolint:errcheck // a prober that hung up knows
	})
}

package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/klog/v2"
)

// The labels of requests that are none of ours: what strangers send must not
// become labels.
const (
	unmatched   = "unmatched"
	otherMethod = "other"
	noFormat    = "none"
)

type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

func newMetrics(registerer prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "eurekube_http_requests_total",
			Help: "Requests of the Eureka API, by route, method, status code and format of the answer.",
		}, []string{"route", "method", "code", "format"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "eurekube_http_request_duration_seconds",
			Help:    "Time from the headers of a request to the last byte of its answer, by route and method, without what it waited for changes: polls that wait would hide how the others fare.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 4, 9),
		}, []string{"route", "method"}),
	}
	if registerer != nil {
		registerer.MustRegister(m.requests, m.duration)
	}
	return m
}

// response is the answer in the making and what the metrics say of it.
type response struct {
	http.ResponseWriter
	code   int
	format string
	waited time.Duration // for changes
	judged bool          // whoever asked showed the credentials of a user
}

// WriteHeader remembers the status.
func (w *response) WriteHeader(code int) {
	w.code = code
	w.ResponseWriter.WriteHeader(code)
}

// waitedSince notes that all of the time since start was spent waiting.
func (w *response) waitedSince(start time.Time) {
	w.waited += time.Since(start)
}

// Unwrap serves http.ResponseController.
func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// observe counts and times the requests of a route around its handler.
func (a *API) observe(route string, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		resp := &response{ResponseWriter: w, code: http.StatusOK, format: noFormat}
		if err := h(resp, r); err != nil {
			a.fail(resp, r, err)
		}
		elapsed := time.Since(start)
		method := methodLabel(r.Method)
		a.metrics.requests.WithLabelValues(route, method, strconv.Itoa(resp.code), resp.format).Inc()
		a.metrics.duration.WithLabelValues(route, method).Observe((elapsed - resp.waited).Seconds())
		if logger := klog.FromContext(r.Context()).V(4); logger.Enabled() {
			logger.Info("Served a request", append(who(resp, r), "method", r.Method, "path", r.URL.Path, "query", r.URL.RawQuery, "code", resp.code, "format", resp.format, "duration", elapsed)...)
		}
	})
}

// who are the values of a line about a request that say who asked. A name that is no
// user's may be a password in the wrong field.
func who(resp *response, r *http.Request) []any {
	values := []any{"remote", r.RemoteAddr}
	if resp.judged {
		user, _, _ := r.BasicAuth()
		values = append(values, "user", user)
	}
	return values
}

// methodLabel bounds the label by the methods that HTTP knows.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return otherMethod
}

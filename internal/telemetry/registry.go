package telemetry

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/eurekube/eurekube/internal/buildinfo"
)

// NewRegistry returns a registry that already measures the Go runtime, the
// process and, as eurekube_build_info, which build is running. Like every
// prometheus.Registry it may be used by many goroutines at once.
func NewRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		buildInfo(),
	)
	return registry
}

// buildInfo is always 1: the labels are what it says, and a query can join them
// to any other metric of the same target.
func buildInfo() prometheus.Collector {
	build := buildinfo.Read()
	gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "eurekube_build_info",
		Help: "Always 1; the labels say which version, commit and Go release is running.",
	}, []string{"version", "revision", "goversion"})
	gauge.WithLabelValues(build.Version, build.Revision, build.GoVersion).Set(1)
	return gauge
}

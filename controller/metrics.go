package controller

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/convertor"
)

// metrics are what the controller tells Prometheus. Names of pods are no
// labels: they would grow without end.
type metrics struct {
	unlisted       *prometheus.GaugeVec
	warnings       *prometheus.GaugeVec
	synced         prometheus.Gauge
	namespaceUp    *prometheus.GaugeVec
	manifestErrors prometheus.Gauge
	readyToServed  prometheus.Histogram
	podEvents      *prometheus.CounterVec
}

func newMetrics() *metrics {
	m := &metrics{
		unlisted: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "eurekube_pods_unlisted",
			Help: "Pods that opted in and are not listed, by reason.",
		}, []string{"reason"}),
		warnings: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "eurekube_pod_warnings",
			Help: "Things that are odd about pods that opted in, by reason.",
		}, []string{"reason"}),
		synced: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "eurekube_synced",
			Help: "Whether the first complete list of pods was processed: 1 or 0.",
		}),
		namespaceUp: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "eurekube_namespace_watch_up",
			Help: "1 while the list and watch of pods in a namespace (* for all) stand, 0 while the API server forbids them, and also while it is away.",
		}, []string{"namespace"}),
		manifestErrors: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "eurekube_manifest_errors",
			Help: "Problems in the manifest directory as it is now, at most 20 of each file and one more for all others in it; the log names file and document.",
		}),
		readyToServed: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "eurekube_pod_ready_to_served_seconds",
			Help:    "Time from a watch delivering a pod that turned ready to the answers that list it.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2},
		}),
		podEvents: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "eurekube_pod_events_total",
			Help: "Events on pods by result: created, existing (a replica or an earlier process wrote it), forbidden, failed, or dropped without a try; a fault that was not told is tried again.",
		}, []string{"result"}),
	}
	for _, result := range podEventResults {
		m.podEvents.WithLabelValues(result)
	}
	for _, reason := range convertor.Reasons {
		m.unlisted.WithLabelValues(string(reason))
	}
	for _, reason := range convertor.WarningReasons {
		m.warnings.WithLabelValues(string(reason))
	}
	m.warnings.WithLabelValues(string(WarningManifestHidden))
	return m
}

// register registers the metrics that the configuration can fill. It asks
// byOthers for numbers of pods whenever the metrics are read.
func (m *metrics) register(config Config, byOthers func() map[convertor.Reason]int) error {
	collectors := []prometheus.Collector{unlistedPods{m.unlisted, byOthers}, m.warnings, m.synced, m.readyToServed}
	if config.Client != nil {
		collectors = append(collectors, m.namespaceUp)
		if config.writesPodEvents() {
			collectors = append(collectors, m.podEvents)
		}
		if config.ContactAge != nil {
			collectors = append(collectors, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: "eurekube_api_server_contact_age_seconds",
				Help: "Time since the last bytes came from the API server.",
			}, func() float64 { return config.ContactAge().Seconds() }))
		}
	}
	if config.Manifests != "" {
		collectors = append(collectors, m.manifestErrors)
	}
	var errs []error
	for _, collector := range collectors {
		errs = append(errs, config.Registerer.Register(collector))
	}
	return errors.Join(errs...)
}

// unlistedPods adds the pods that their application or another pod keeps from
// being listed, which only the registry knows: nothing happens to the pod that
// could be counted.
type unlistedPods struct {
	*prometheus.GaugeVec
	byOthers func() map[convertor.Reason]int
}

// Collect implements prometheus.Collector.
func (u unlistedPods) Collect(metrics chan<- prometheus.Metric) {
	for reason, n := range u.byOthers() {
		u.WithLabelValues(string(reason)).Set(float64(n))
	}
	u.GaugeVec.Collect(metrics)
}

// count adds n pods with that state; the zero state is no pod.
func (m *metrics) count(state PodState, n float64) {
	if state.Reason != "" {
		m.unlisted.WithLabelValues(string(state.Reason)).Add(n)
	}
	for _, w := range state.Warnings {
		m.warnings.WithLabelValues(string(w.Reason)).Add(n)
	}
}

// namespaceLabel is a namespace as metrics and logs name it.
func namespaceLabel(namespace string) string {
	if namespace == metav1.NamespaceAll {
		return "*"
	}
	return namespace
}

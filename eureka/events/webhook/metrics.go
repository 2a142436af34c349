package webhook

import "github.com/prometheus/client_golang/prometheus"

// metrics have the host of a webhook's URL as a label: as many values as the
// operator named hosts.
type metrics struct {
	attempts *prometheus.CounterVec
	dropped  *prometheus.CounterVec
	waiting  *prometheus.GaugeVec
	sending  prometheus.Gauge
}

// Results of attempts and reasons of drops.
const (
	deliveredResult = "delivered"
	refusedResult   = "refused"
	failedResult    = "failed"

	droppedFull    = "queue-full"
	droppedOld     = "too-old"
	droppedRefused = "refused"
	droppedEnded   = "ended"   // this server does not tell webhooks any more
	droppedRemoved = "removed" // the webhook is not to be told any more
)

func newMetrics(registerer prometheus.Registerer) *metrics {
	m := &metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "eurekube_webhook_attempts_total",
			Help: "Attempts to tell a webhook of a change, by result: delivered, failed (tried again), refused (not tried again).",
		}, []string{"host", "result"}),
		dropped: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "eurekube_webhook_dropped_total",
			Help: "Changes that a webhook was never told, by reason: queue-full, too-old, refused, removed (they waited when the webhook was taken off the list), ended (they waited when another server took over; it may tell them).",
		}, []string{"host", "reason"}),
		waiting: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "eurekube_webhook_queue_length",
			Help: "Changes that wait to be told to a webhook.",
		}, []string{"host"}),
		sending: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "eurekube_webhook_sending",
			Help: "1 while this server is the one that tells webhooks.",
		}),
	}
	if registerer != nil {
		registerer.MustRegister(m.attempts, m.dropped, m.waiting, m.sending)
	}
	return m
}

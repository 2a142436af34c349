package callback

import "github.com/prometheus/client_golang/prometheus"

// The results of calls, as labels.
const (
	resultOK        = "ok"
	resultFailed    = "failed"
	resultForbidden = "forbidden" // by --callback-targets, since the name leads elsewhere now
)

// The states of services, as labels.
const (
	stateListed = "listed"
	stateWatch  = "watch"
)

type metrics struct {
	services   *prometheus.GaugeVec
	probes     *prometheus.CounterVec
	deliveries *prometheus.CounterVec
}

func newMetrics(registerer prometheus.Registerer) *metrics {
	m := &metrics{
		services: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "eurekube_callback_services",
			Help: "Services of the callback bridge, by state: listed, or under watch because the heartbeat URL does not answer.",
		}, []string{"state"}),
		probes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "eurekube_callback_probes_total",
			Help: "Calls of heartbeat URLs, by result: ok, failed, or forbidden when the address may not be called.",
		}, []string{"result"}),
		deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "eurekube_callback_deliveries_total",
			Help: "Calls of update URLs, by result: ok, failed, or forbidden when the address may not be called.",
		}, []string{"result"}),
	}
	m.count(0, 0)
	for _, result := range []string{resultOK, resultFailed, resultForbidden} {
		m.probes.WithLabelValues(result)
		m.deliveries.WithLabelValues(result)
	}
	if registerer != nil {
		registerer.MustRegister(m.services, m.probes, m.deliveries)
	}
	return m
}

// count notes how many of all services are listed.
func (m *metrics) count(listed, all int) {
	m.services.WithLabelValues(stateListed).Set(float64(listed))
	m.services.WithLabelValues(stateWatch).Set(float64(all - listed))
}

func (m *metrics) probed(err error) { m.probes.WithLabelValues(resultOf(err)).Inc() }

func (m *metrics) delivered(err error) { m.deliveries.WithLabelValues(resultOf(err)).Inc() }

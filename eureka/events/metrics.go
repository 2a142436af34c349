package events

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// Why streams are cut.
const (
	cutSlow   = "slow"   // the client did not take a write in time
	cutBehind = "behind" // it is so far behind that the changes are not known any more
)

type metrics struct {
	open   prometheus.Gauge
	events map[string]prometheus.Counter // by event
	cut    *prometheus.CounterVec
}

func newMetrics(registerer prometheus.Registerer) *metrics {
	events := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "eurekube_stream_events_total",
		Help: "Events written to streams, by event.",
	}, []string{"event"})
	m := &metrics{
		open: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "eurekube_streams",
			Help: "Streams of events that are open.",
		}),
		events: make(map[string]prometheus.Counter),
		cut: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "eurekube_streams_cut_total",
			Help: "Streams that were cut off because their clients read too slowly, by reason: slow did not take a write in time, behind missed changes that are not known any more.",
		}, []string{"reason"}),
	}
	for _, kind := range snapshot.Kinds {
		m.events[string(kind)] = events.WithLabelValues(string(kind))
	}
	for _, event := range []string{eventReset, eventPing} {
		m.events[event] = events.WithLabelValues(event)
	}
	for _, reason := range []string{cutSlow, cutBehind} {
		m.cut.WithLabelValues(reason)
	}
	if registerer != nil {
		registerer.MustRegister(m.open, events, m.cut)
	}
	return m
}

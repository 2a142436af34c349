package snapshot

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/eurekube/eurekube/eureka"
)

type metrics struct {
	duration prometheus.Histogram
}

func newMetrics(registerer prometheus.Registerer, current func() *Snapshot) *metrics {
	m := &metrics{
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "eurekube_publish_duration_seconds",
			Help:    "Time to build and encode one snapshot of the registry.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 12),
		}),
	}
	if registerer != nil {
		registerer.MustRegister(m.duration, &instances{current})
	}
	return m
}

// instances counts the listed instances of the current snapshot when asked.
type instances struct {
	current func() *Snapshot
}

var instancesDesc = prometheus.NewDesc("eurekube_instances",
	"Listed instances, by application and status.", []string{"app", "status"}, nil)

// Describe implements prometheus.Collector.
func (c *instances) Describe(ch chan<- *prometheus.Desc) {
	ch <- instancesDesc
}

// Collect implements prometheus.Collector.
func (c *instances) Collect(ch chan<- prometheus.Metric) {
	s := c.current()
	if s == nil {
		return
	}
	s.Each(func(a *eureka.Application) {
		var census eureka.Census
		for _, inst := range a.Instances {
			census.Add(inst.Status, 1)
		}
		for _, status := range eureka.Statuses {
			if n := census.Count(status); n > 0 {
				ch <- prometheus.MustNewConstMetric(instancesDesc, prometheus.GaugeValue, float64(n), a.Name, string(status))
			}
		}
	})
}

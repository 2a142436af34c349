package snapshot

import (
	"sync"

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
		registerer.MustRegister(m.duration, &instances{current: current})
	}
	return m
}

// Anybody may register under any name, and each costs the monitoring system a
// series for good: this many applications at a time are labels, and the others
// are one. Names of applications are in upper case, so that it is none of theirs.
const (
	maxAppLabels = 2000
	otherApps    = "other"
)

// instances counts the listed instances of the current snapshot when asked.
type instances struct {
	current func() *Snapshot

	mu       sync.Mutex      // guards labelled
	labelled map[string]bool // applications with a label of their own
}

var instancesDesc = prometheus.NewDesc("eurekube_instances",
	`Listed instances, by application and status. From the 2,001st application on they are counted together, as app "other".`,
	[]string{"app", "status"}, nil)

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
	labelled := c.label(s)
	var others eureka.Census
	s.Each(func(a *eureka.Application) {
		var own eureka.Census
		census := &others
		if labelled[a.Name] {
			census = &own
		}
		for _, inst := range a.Instances {
			census.Add(inst.Status, 1)
		}
		count(ch, a.Name, own)
	})
	count(ch, otherApps, others)
}

// label chooses the applications of s that have a label of their own. Who has one
// keeps it while it is listed: no flood of names takes it away.
func (c *instances) label(s *Snapshot) map[string]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	labelled := make(map[string]bool, len(c.labelled))
	s.Each(func(a *eureka.Application) {
		if c.labelled[a.Name] {
			labelled[a.Name] = true
		}
	})
	s.Each(func(a *eureka.Application) {
		if len(labelled) < maxAppLabels {
			labelled[a.Name] = true
		}
	})
	c.labelled = labelled
	return labelled
}

// count sends the counts that are not 0.
func count(ch chan<- prometheus.Metric, app string, census eureka.Census) {
	for _, status := range eureka.Statuses {
		if n := census.Count(status); n > 0 {
			ch <- prometheus.MustNewConstMetric(instancesDesc, prometheus.GaugeValue, float64(n), app, string(status))
		}
	}
}

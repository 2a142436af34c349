package lease

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Stats is the state of the leases, without those that are one with a pod.
type Stats struct {
	// Leases is how many there are, and Overdue how many of them had no renewal
	// for as long as they last.
	Leases, Overdue int
	// Overrides is how many statuses set by operators are kept, also of instances
	// whose lease expired; those of pods are not among them.
	Overrides int
	// SelfPreservation says that overdue leases do not expire now.
	SelfPreservation bool
	// ExpectedRenewalsPerMinute follows from the intervals of the leases, and
	// ActualRenewalsPerMinute is what came in the last minute.
	ExpectedRenewalsPerMinute, ActualRenewalsPerMinute int
}

// Stats is the state at the latest sweep, at most a second ago; zero before Run.
func (s *Store) Stats() Stats { return *s.stats.Load() }

type metrics struct {
	evictions prometheus.Counter
}

func newMetrics(s *Store) *metrics {
	m := &metrics{
		evictions: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "eurekube_evictions_total",
			Help: "Self-registered instances that were ended because their heartbeats stopped.",
		}),
	}
	if s.config.Registerer == nil {
		return m
	}
	gauge := func(name, help string, value func(Stats) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value(s.Stats())) })
	}
	s.config.Registerer.MustRegister(
		m.evictions,
		gauge("eurekube_leases", "Self-registered instances, without those that are pods.",
			func(st Stats) int { return st.Leases }),
		gauge("eurekube_leases_overdue", "Self-registered instances whose lease is over but kept by self-preservation.",
			func(st Stats) int { return st.Overdue }),
		gauge("eurekube_renewals_expected_per_minute", "Heartbeats that the leases present promise in a minute.",
			func(st Stats) int { return st.ExpectedRenewalsPerMinute }),
		gauge("eurekube_renewals_actual_per_minute", "Heartbeats of self-registered instances in the last minute.",
			func(st Stats) int { return st.ActualRenewalsPerMinute }),
		gauge("eurekube_self_preservation_active", "1 while overdue leases do not expire.",
			func(st Stats) int {
				if st.SelfPreservation {
					return 1
				}
				return 0
			}),
		gauge("eurekube_overrides", "Statuses set by operators that are in force, those of pods included.",
			func(st Stats) int { return st.Overrides + len(s.config.Registry.PodOverrides()) }),
	)
	return m
}

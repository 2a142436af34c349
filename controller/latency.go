package controller

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/tools/cache"
)

// latency measures how long a pod that turned ready waits to be served. Pods
// of the first list are not measured: they were ready before anybody looked.
type latency struct {
	histogram prometheus.Histogram

	mu        sync.Mutex                     // guards all below
	arrivals  map[cache.ObjectName]time.Time // of the oldest event that no worker has taken
	waiting   []waiting
	published uint64
}

// waiting is a pod that is UP in the registry since version and not yet served.
type waiting struct {
	arrival time.Time
	version uint64
}

func newLatency(m *metrics) *latency {
	return &latency{histogram: m.readyToServed, arrivals: make(map[cache.ObjectName]time.Time)}
}

// arrived notes that a watch delivered an event of a pod.
func (l *latency) arrived(name cache.ObjectName) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, earlier := l.arrivals[name]; !earlier {
		l.arrivals[name] = time.Now()
	}
}

// take is when the oldest event arrived that led to this reconciliation, zero
// when none did.
func (l *latency) take(name cache.ObjectName) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	arrival := l.arrivals[name]
	delete(l.arrivals, name)
	return arrival
}

// turnedReady notes that a pod is UP from that version on.
func (l *latency) turnedReady(arrival time.Time, version uint64) {
	if arrival.IsZero() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if version <= l.published { // the publisher was quicker than this worker
		l.histogram.Observe(time.Since(arrival).Seconds())
		return
	}
	l.waiting = append(l.waiting, waiting{arrival, version})
}

// Published tells that answers of this version of the registry are being
// served. Versions that are not newer than an earlier one change nothing.
func (c *Controller) Published(version uint64) {
	c.latency.serve(version)
}

func (l *latency) serve(version uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.published = max(l.published, version)
	l.waiting = slices.DeleteFunc(l.waiting, func(w waiting) bool {
		served := w.version <= version
		if served {
			l.histogram.Observe(time.Since(w.arrival).Seconds())
		}
		return served
	})
}

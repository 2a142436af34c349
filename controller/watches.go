package controller

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/klog/v2"
)

// watches knows how every source fares, speaks when that changes, and decides
// when the first complete list was processed.
type watches struct {
	up         *prometheus.GaugeVec
	syncedFlag prometheus.Gauge
	synced     chan struct{}

	mu      sync.Mutex // guards all below
	sources map[*source]*progress
	done    bool // synced is closed
}

// progress is how one source fares. Of the answers of the API server, refused
// and away say whether they are still the latest of their kind: a server that
// cannot be reached has not permitted what it forbade.
type progress struct {
	up        bool // the latest list or watch was granted
	refused   bool // forbidden, and not granted since
	refusals  int  // how often in a row
	away      bool // no answer, or an error of the server's own
	processed bool // the first list is in the registry
}

func newWatches(m *metrics) *watches {
	return &watches{
		up:         m.namespaceUp,
		syncedFlag: m.synced,
		synced:     make(chan struct{}),
		sources:    make(map[*source]*progress),
	}
}

// add makes s one of the sources that are waited for.
func (w *watches) add(s *source) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sources[s] = &progress{}
	if s.origin == originAPIServer {
		w.up.WithLabelValues(namespaceLabel(s.namespace)).Set(0)
	}
}

// processed notes that the first list of s is in the registry.
func (w *watches) processed(ctx context.Context, s *source) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sources[s].processed = true
	w.settle(ctx)
}

// report notes the outcome of a list or watch, nil for success.
func (w *watches) report(ctx context.Context, s *source, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	wasRefused, wasAway := w.refused(s.namespace), w.away()
	w.sources[s].note(err)
	isRefused, isAway := w.refused(s.namespace), w.away()

	namespace := namespaceLabel(s.namespace)
	w.up.WithLabelValues(namespace).Set(w.upIn(s.namespace))
	logger := klog.FromContext(ctx)
	switch {
	case isRefused && !wasRefused:
		logger.Error(err, "API server forbade to watch pods of a namespace", "namespace", namespace)
	case wasRefused && !isRefused:
		logger.Info("API server permitted to watch pods of a namespace again", "namespace", namespace)
	}
	switch {
	case isAway && !wasAway:
		logger.Error(err, "API server could not be reached", "served", w.served())
	case wasAway && !isAway:
		logger.Info("API server was reached again")
	}
	w.settle(ctx)
}

func (p *progress) note(err error) {
	p.up = err == nil
	p.away = err != nil && !apierrors.IsForbidden(err)
	if p.away {
		return
	}
	p.refused = err != nil
	if p.refused {
		p.refusals++
	} else {
		p.refusals = 0
	}
}

// patience is how many refusals in a row it takes to start without a namespace:
// a Role that is granted together with the program is known to the API server a
// moment later, and must not cost clients the namespace's instances.
const patience = 3

// refused reports whether a watch in the namespace is forbidden. The caller
// holds mu.
func (w *watches) refused(namespace string) bool {
	for s, p := range w.sources {
		if s.namespace == namespace && p.refused {
			return true
		}
	}
	return false
}

// away reports whether any watch cannot reach the API server. The caller holds
// mu.
func (w *watches) away() bool {
	for _, p := range w.sources {
		if p.away {
			return true
		}
	}
	return false
}

// upIn is 1 when all watches in the namespace are granted, else 0. The caller
// holds mu.
func (w *watches) upIn(namespace string) float64 {
	for s, p := range w.sources {
		if s.origin == originAPIServer && s.namespace == namespace && !p.up {
			return 0
		}
	}
	return 1
}

// served says what clients get meanwhile. The caller holds mu.
func (w *watches) served() string {
	if w.done {
		return "the last list"
	}
	return "503 until the first complete list"
}

// settle closes synced once nothing more is waited for. The caller holds mu.
func (w *watches) settle(ctx context.Context) {
	if w.done || !w.complete() {
		return
	}
	w.done = true
	w.syncedFlag.Set(1)
	close(w.synced)
	klog.FromContext(ctx).V(2).Info("First complete list of pods was processed")
}

// complete reports whether every source is processed or, if it is one of
// several namespaces, refused (field case 103). When the API server permits
// nothing at all, an answer would be empty for the wrong reason (field case 65).
func (w *watches) complete() bool {
	skipped, permitted := false, false
	for s, p := range w.sources {
		switch {
		case p.processed:
			permitted = permitted || s.origin == originAPIServer
		case s.namespace != metav1.NamespaceAll && w.refusedWhole(s.namespace):
			skipped = true
		default:
			return false
		}
	}
	return permitted || !skipped
}

// refusedWhole reports whether the API server keeps refusing every watch in the
// namespace. One that was granted shows that the others soon will be, and without
// them the list would be a part. The caller holds mu.
func (w *watches) refusedWhole(namespace string) bool {
	for s, p := range w.sources {
		if s.origin == originAPIServer && s.namespace == namespace && (!p.refused || p.refusals < patience) {
			return false
		}
	}
	return true
}

// waiting says what the first complete list waits for.
func (w *watches) waiting() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.away() {
		return "the API server cannot be reached"
	}
	var forbidden []string
	for s, p := range w.sources {
		if p.refused && !slices.Contains(forbidden, namespaceLabel(s.namespace)) {
			forbidden = append(forbidden, namespaceLabel(s.namespace))
		}
	}
	if len(forbidden) > 0 {
		slices.Sort(forbidden)
		return "the API server forbids to watch pods in " + strings.Join(forbidden, ", ")
	}
	return "the first complete list of pods is being processed"
}

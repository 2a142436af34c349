package controller

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/flowcontrol"
)

// Bounds on what pods may cost the API server in Events, of one process.
const (
	podEventsQueued = 1000 // at most, further ones are dropped
	podEventsQPS    = 5
	podEventsBurst  = 50
	// podEventsPause is how long nothing is tried where Events are forbidden, or
	// anywhere once the API server failed several times, and how often pods whose
	// faults could not be told are judged again.
	podEventsPause = time.Minute
)

// podEvents writes Events on pods. Workers offer them and never wait; one
// goroutine writes. A fault that could not be told is told later if it is still
// there then; a transition that could not be told is dropped.
type podEvents struct {
	mode    PodEvents
	host    string
	client  typedcorev1.EventsGetter
	queue   chan podEvent
	limiter flowcontrol.RateLimiter
	results *prometheus.CounterVec
	judge   func(cache.ObjectName) // queues a pod for the workers

	mu     sync.Mutex // guards untold
	untold map[cache.ObjectName]struct{}

	// For the writing goroutine alone: until when nothing is tried, by namespace
	// where it is forbidden, and anywhere while the API server fails.
	forbidden map[string]time.Time
	failing   time.Time
}

func newPodEvents(config Config, results *prometheus.CounterVec, judge func(cache.ObjectName)) *podEvents {
	return &podEvents{
		mode:      config.PodEvents,
		host:      config.Host,
		client:    config.Client.CoreV1(),
		queue:     make(chan podEvent, podEventsQueued),
		limiter:   flowcontrol.NewTokenBucketRateLimiter(podEventsQPS, podEventsBurst),
		results:   results,
		judge:     judge,
		untold:    make(map[cache.ObjectName]struct{}),
		forbidden: make(map[string]time.Time),
	}
}

// offer queues an Event, or drops it when too many wait.
func (p *podEvents) offer(e podEvent) {
	e.seen = time.Now()
	select {
	case p.queue <- e:
	default:
		p.leave(e)
	}
}

// leave gives up an Event without a try. Of a fault the pod is remembered.
func (p *podEvents) leave(e podEvent) {
	p.results.WithLabelValues(resultDropped).Inc()
	p.remember(e)
}

// remember has the faults of the pod told again later.
func (p *podEvents) remember(e podEvent) {
	if e.change != "" {
		return // it was true for a moment only
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.untold[cache.ObjectName{Namespace: e.pod.Namespace, Name: e.pod.Name}] = struct{}{}
}

// takeUntold reports whether a fault of the pod could not be told, and forgets
// it.
func (p *podEvents) takeUntold(name cache.ObjectName) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, untold := p.untold[name]
	delete(p.untold, name)
	return untold
}

// run writes until ctx is done. What then waits is lost: the next process judges
// every pod anew.
func (p *podEvents) run(ctx context.Context) {
	again := time.NewTicker(podEventsPause)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-p.queue:
			p.write(ctx, e)
		case <-again.C:
			for _, name := range p.someUntold() {
				p.judge(name)
			}
		}
	}
}

// someUntold are as many of the pods whose faults could not be told as the queue
// has room for. Only a worker forgets them: the pod may be well, or gone.
func (p *podEvents) someUntold() []cache.ObjectName {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := make([]cache.ObjectName, 0, min(len(p.untold), cap(p.queue)-len(p.queue)))
	for name := range p.untold {
		if len(names) == cap(names) {
			break
		}
		names = append(names, name)
	}
	return names
}

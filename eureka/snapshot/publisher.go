package snapshot

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/registry"
)

// forgetInterval is how often the delta is rid of what is too old.
const forgetInterval = 5 * time.Second

// Config is what a Publisher needs.
type Config struct {
	Registry *registry.Registry
	// Ready is closed when the registry holds the first complete list: nothing
	// is published before, so that nobody ever sees a part (field case 65).
	Ready <-chan struct{}
	// Holdoff is how far apart publications are: a change that follows one sooner
	// waits for the rest of it, unless somebody waits in Shown. While changes come
	// in a burst it goes on waiting, for MaxHoldoff at most.
	Holdoff, MaxHoldoff time.Duration
	// Published is called after each publication, with the version of the
	// registry that it holds. It may be nil.
	Published func(version uint64)
	// Registerer takes the metrics; it may be nil.
	Registerer prometheus.Registerer
}

// Publisher turns changes of the registry into snapshots.
type Publisher struct {
	config   Config
	current  atomic.Pointer[Snapshot]
	progress progress
	metrics  *metrics
	started  chan struct{} // closed when there is a first snapshot
	waiting  chan struct{} // yields when somebody waits in Shown
	last     time.Time     // end of the latest publication; Run's own
	took     time.Duration // how long it took; Run's own
	rate     rate
	// floodUntil is when a flood is over that is not seen again, in nanoseconds
	// since 1970.
	floodUntil atomic.Int64
}

// NewPublisher returns a Publisher that does nothing until Run.
func NewPublisher(config Config) *Publisher {
	p := &Publisher{config: config, started: make(chan struct{}), waiting: make(chan struct{}, 1)}
	p.metrics = newMetrics(config.Registerer, p.Current)
	return p
}

// Current is the latest snapshot, nil until the first one. Any goroutine may
// call it at any time; it takes no lock.
func (p *Publisher) Current() *Snapshot {
	return p.current.Load()
}

// Started is closed when Current is not nil any more. Any number of goroutines may
// wait for it.
func (p *Publisher) Started() <-chan struct{} {
	return p.started
}

// Run publishes until ctx ends and then returns nil. It may be called once.
func (p *Publisher) Run(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-p.config.Ready:
	}
	p.publish(newSnapshot(time.Now().UnixMicro()))
	close(p.started)
	klog.FromContext(ctx).Info("Published the first snapshot", "instances", p.Current().Census().Total())

	forget := time.NewTicker(forgetInterval)
	defer forget.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-forget.C:
			if p.config.Registry.Forget() {
				p.publish(p.Current())
			}
		case <-p.config.Registry.Changed():
			if time.Since(p.last) < p.config.Holdoff && !p.gather(ctx) {
				return nil
			}
			p.publish(p.Current())
		}
	}
}

// burst is how many changes within one holdoff make a burst, which is better
// published as a whole: pods that turn ready now and then are not.
const burst = 10

// gather waits for the changes that a publication is to hold. It reports false
// when ctx ended.
func (p *Publisher) gather(ctx context.Context) bool {
	ceiling := time.NewTimer(p.config.MaxHoldoff)
	defer ceiling.Stop()
	window := time.NewTicker(max(p.config.Holdoff, 1))
	defer window.Stop()
	seen := p.config.Registry.Version()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ceiling.C:
			return true
		case <-p.waiting:
			return p.rest(ctx)
		case <-window.C:
			now := p.config.Registry.Version()
			if now-seen < burst {
				return true
			}
			seen = now
		}
	}
}

// rest waits as long as the latest publication took, so that those who wait for
// one take at most half of a processor, however many come. It reports false when
// ctx ended.
func (p *Publisher) rest(ctx context.Context) bool {
	rested := time.NewTimer(time.Until(p.last.Add(p.took)))
	defer rested.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-rested.C:
		return true
	}
}

// publish makes what the registry has now the current snapshot.
func (p *Publisher) publish(before *Snapshot) {
	start := time.Now()
	select {
	case <-p.config.Registry.Changed(): // what it tells of is drained now
	default:
	}
	changes := p.config.Registry.Drain()
	if len(changes.Apps) > 0 || p.Current() == nil {
		next := before.next(changes, start)
		next.asked.warm(next, start)
		p.current.Store(next)
		before.feed.wake(next.feed)
	}
	p.last, p.took = time.Now(), time.Since(start)
	p.noteFlood(changes.Version, start)
	p.progress.reach(changes.Version)
	p.metrics.duration.Observe(p.took.Seconds())
	if p.config.Published != nil {
		p.config.Published(changes.Version)
	}
}

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
	// Holdoff is how far apart publications are while changes keep coming: one
	// that comes within it of the last publication waits until no other came for
	// Holdoff, for MaxHoldoff at most. One that comes alone is published at once.
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
	last     time.Time // of the latest publication; Run's own
}

// NewPublisher returns a Publisher that does nothing until Run.
func NewPublisher(config Config) *Publisher {
	p := &Publisher{config: config}
	p.metrics = newMetrics(config.Registerer, p.Current)
	return p
}

// Current is the latest snapshot, nil until the first one. Any goroutine may
// call it at any time; it takes no lock.
func (p *Publisher) Current() *Snapshot {
	return p.current.Load()
}

// Run publishes until ctx ends and then returns nil. It may be called once.
func (p *Publisher) Run(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-p.config.Ready:
	}
	p.publish(newSnapshot(time.Now().UnixMicro()))
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

// gather waits until no change came for Holdoff, for MaxHoldoff at most. It
// reports false when ctx ended.
func (p *Publisher) gather(ctx context.Context) bool {
	p.progress.holdOff()
	ceiling := time.NewTimer(p.config.MaxHoldoff)
	defer ceiling.Stop()
	quiet := time.NewTimer(p.config.Holdoff)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-ceiling.C:
			return true
		case <-quiet.C:
			return true
		case <-p.config.Registry.Changed():
			quiet.Reset(p.config.Holdoff)
		}
	}
}

// publish makes what the registry has now the current snapshot.
func (p *Publisher) publish(before *Snapshot) {
	start := time.Now()
	changes := p.config.Registry.Drain()
	p.progress.begin(changes.Version)
	next := before.next(changes)
	next.asked.warm(next, start)
	p.current.Store(next)
	p.last = time.Now()
	p.progress.reach()
	p.metrics.duration.Observe(time.Since(start).Seconds())
	if p.config.Published != nil {
		p.config.Published(changes.Version)
	}
}

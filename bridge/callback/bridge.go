package callback

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/snapshot"
	"github.com/eurekube/eurekube/internal/auth"
	"github.com/eurekube/eurekube/internal/journal"
)

// maxServices bounds how many services are kept, listed or not: each is probed for
// as long as it is.
const maxServices = 20_000

// maxNames bounds the names that all services require together: each is looked up
// at each change of the list.
const maxNames = 200_000

// Config is what a Bridge needs.
type Config struct {
	// Leases takes the services; without it nobody can register, and every write is
	// 405.
	Leases *lease.Store
	// Snapshot returns the current snapshot, nil while there is none: every request
	// is then 503.
	Snapshot func() *snapshot.Snapshot
	// Shown waits until all that the registry was told before can be seen in
	// snapshots, or until ctx ends. ShownUnlessFlooded does not wait while thousands
	// register at once.
	Shown, ShownUnlessFlooded func(ctx context.Context)
	// Targets may be called.
	Targets Targets
	// OwnPorts returns the ports that this program listens on, which are not called
	// at the addresses of this machine. It is called once Run runs, by many
	// goroutines at once; nil is none.
	OwnPorts func() []uint16
	// MaxBody is how many bytes the body of a request may have; a longer one is 413.
	MaxBody int64
	// Users are who may write; nil lets everybody.
	Users *auth.File
	// Registerer takes the metrics; it may be nil.
	Registerer prometheus.Registerer
}

// Bridge is the http.Handler of the protocol, and what calls the services. Any
// number of goroutines may use it at once. Requests are answered with 503 unless
// Run runs.
type Bridge struct {
	config  Config
	calls   *caller
	metrics *metrics

	work  sync.WaitGroup // what is started for services
	first chan struct{}  // closed when there is a service, and so a snapshot
	began time.Time      // ticks are counted from here
	begin func()         // closes it

	journal journal.Journal // of who came and who went

	mu       sync.Mutex            // guards all below, and the order of changes of leases
	ctx      context.Context       //nolint:containedctx // that of Run, under which services live; nil before it
	services map[string]*service   // by endpoint.id of the ServiceURL
	required map[string]*providers // by application
	listed   int                   // of the services
	silent   list.List             // the others, *service, who fell silent first in front
	tellable int                   // of the services: those that require something
	names    int                   // that they require, each as often as it is required
}

// New returns a Bridge that does nothing until Run.
func New(config Config) *Bridge {
	b := &Bridge{
		config:   config,
		journal:  journal.Journal{About: "callback services"},
		began:    time.Now(),
		calls:    newCaller(config.Targets, config.OwnPorts),
		metrics:  newMetrics(config.Registerer),
		first:    make(chan struct{}),
		services: make(map[string]*service),
		required: make(map[string]*providers),
	}
	b.begin = sync.OnceFunc(func() { close(b.first) })
	return b
}

// Run probes services and tells them of changes until ctx ends; then it returns nil
// as soon as all that it started has ended. It may be called once.
func (b *Bridge) Run(ctx context.Context) error {
	b.mu.Lock()
	b.ctx = ctx
	b.mu.Unlock()

	b.follow(ctx)

	b.mu.Lock() // nothing is started from here on, since ctx has ended
	b.mu.Unlock()
	b.work.Wait()
	b.calls.transport.CloseIdleConnections()
	return nil
}

// follow looks at each snapshot from the first registration on, and flushes the
// journal, until ctx ends.
func (b *Bridge) follow(ctx context.Context) {
	flush := time.NewTicker(flushInterval)
	defer flush.Stop()
	next := (<-chan struct{})(b.first)
	for {
		select {
		case <-ctx.Done():
			return
		case <-flush.C:
			b.journal.Flush(klog.FromContext(ctx))
		case <-next:
			next = b.refresh()
		}
	}
}

// refresh looks where the applications that somebody requires are reached now, and
// wakes whoever requires one that changed. It returns what is closed when there is
// more to see.
func (b *Bridge) refresh() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	snap := b.config.Snapshot() // under the lock, so that nobody saw a later one
	for app, p := range b.required {
		if p.refresh(snap, app) {
			for svc := range p.dependents {
				svc.wake()
			}
		}
	}
	return snap.Moved()
}

package figure

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eurekube/eurekube/bench/spring"
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/api"
	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// The program's defaults.
const (
	holdoff, maxHoldoff  = 20 * time.Millisecond, 200 * time.Millisecond
	maxBody              = 1 << 20
	preserveThreshold    = 0.85
	preserveForAtTheMost = time.Hour
)

// leased is a registry of instances that registered themselves, and everything
// around it as the program has it: leases, publisher and API.
type leased struct {
	registry  *registry.Registry
	leases    *lease.Store
	publisher *snapshot.Publisher
	api       http.Handler

	ahead   atomic.Int64 // nanoseconds by which the registry's clock is ahead
	stop    context.CancelFunc
	running errgroup.Group
}

// serveLeases starts all of it and registers instances.
func serveLeases(ctx context.Context, instances int) (*leased, error) {
	l := &leased{}
	l.registry = registry.New(func() time.Time { return time.Now().Add(time.Duration(l.ahead.Load())) })
	l.leases = lease.NewStore(lease.Config{Registry: l.registry, Mode: lease.ModeOn, Threshold: preserveThreshold, Ceiling: preserveForAtTheMost})
	ready := make(chan struct{})
	close(ready)
	l.publisher = snapshot.NewPublisher(snapshot.Config{Registry: l.registry, Ready: ready, Holdoff: holdoff, MaxHoldoff: maxHoldoff})
	l.api = api.New(api.Config{
		Snapshot: l.publisher.Current, Shown: l.publisher.Shown, ShownUnlessFlooded: l.publisher.ShownUnlessFlooded,
		Registry: l.registry, Leases: l.leases, MaxBody: maxBody, Self: &eureka.Instance{},
	})
	ctx, l.stop = context.WithCancel(ctx)
	l.running.Go(func() error { return l.publisher.Run(ctx) })
	l.running.Go(func() error { return l.leases.Run(ctx) })
	if err := l.register(ctx, instances); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// register posts the first instances.
func (l *leased) register(ctx context.Context, instances int) error {
	for i := range instances {
		body := spring.AppendBody(nil, i, began.UnixMilli())
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "/eureka/apps/"+spring.App(i), bytes.NewReader(body))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", mediaJSON)
		if err := l.answer(request, http.StatusNoContent); err != nil {
			return err
		}
	}
	l.publisher.Shown(ctx)
	return nil
}

// readAsSpring reads what Spring's applications read.
func (l *leased) readAsSpring(ctx context.Context) error {
	for _, path := range [...]string{"/eureka/apps/", "/eureka/apps/delta"} {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		request.Header.Set("Accept", mediaJSON)
		request.Header.Set("Accept-Encoding", "gzip, x-gzip, deflate")
		if err := l.answer(request, http.StatusOK); err != nil {
			return err
		}
	}
	return nil
}

// answer asks the API and wants the given status.
func (l *leased) answer(request *http.Request, want int) error {
	answer := discard{header: make(http.Header)}
	l.api.ServeHTTP(&answer, request)
	if answer.status != want {
		return fmt.Errorf("%s %s: status %d, want %d", request.Method, request.URL.Path, answer.status, want)
	}
	return nil
}

// end ends the leases of the instances from first to before, as far as there are
// any.
func (l *leased) end(ctx context.Context, first, before int) {
	for i := first; i < before; i++ {
		_ = l.leases.Cancel(ctx, spring.App(i), spring.ID(i), false)
	}
}

// close ends everything.
func (l *leased) close() {
	l.stop()
	_ = l.running.Wait() // nil by their contracts
}

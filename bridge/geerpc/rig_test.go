package geerpc

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// rig is a bridge, and what waits until all that was posted can be read.
type rig struct {
	*Bridge
	shown func(context.Context)
}

// start returns a bridge over an empty registry that is published until the end of
// the test. Nothing is in front of it, and nobody who posts waits: package app
// tests it behind the API.
func start(t testing.TB) rig {
	t.Helper()
	ready, first := make(chan struct{}), make(chan struct{}, 1)
	close(ready)
	reg := registry.New(time.Now)
	publisher := snapshot.NewPublisher(snapshot.Config{
		Registry: reg, Ready: ready, Holdoff: 20 * time.Millisecond, MaxHoldoff: 200 * time.Millisecond,
		Published: func(uint64) {
			select {
			case first <- struct{}{}:
			default:
			}
		},
	})
	leases := lease.NewStore(lease.Config{Registry: reg, Mode: lease.ModeOn, EndsOnTime: Posted})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	for _, run := range []func(context.Context) error{publisher.Run, leases.Run} {
		go func() { done <- run(ctx) }()
	}
	t.Cleanup(func() {
		cancel()
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
	<-first
	b := New(Config{App: "GEERPC", TTL: 5 * time.Minute, Snapshot: publisher.Current, Registry: reg, Leases: leases})
	return rig{b, publisher.Shown}
}

// settle waits until all can be read that the registry was told.
func (r rig) settle(ctx context.Context, instances int) {
	for r.config.Snapshot().Census().Total() < instances && ctx.Err() == nil {
		r.shown(ctx)
	}
}

// post posts a server and returns the status of the answer.
func (b *Bridge) post(ctx context.Context, text string) int {
	request := httptest.NewRequestWithContext(ctx, http.MethodPost, Path, http.NoBody)
	request.Header.Set(headerServer, text)
	answer := httptest.NewRecorder()
	b.Post(answer, request)
	return answer.Code
}

// get returns the list.
func (b *Bridge) get(ctx context.Context) string {
	answer := httptest.NewRecorder()
	b.Get(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, Path, http.NoBody))
	return answer.Header().Get(headerServers)
}

// address is that of the server with a number below 65,536.
func address(n int) string { return fmt.Sprintf("tcp@10.0.%d.%d:9000", n>>8, n&0xff) }

package figure

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/bench/fleet"
	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/api"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

var rules = convertor.Rules{Prefixes: []string{convertor.PrefixEurekube}}

// served is a registry of pods and everything after it: publisher and API. Its
// clock stands still unless it is moved, so that the delta's three minutes can
// pass in no time.
type served struct {
	pods      []*corev1.Pod
	registry  *registry.Registry
	publisher *snapshot.Publisher
	api       http.Handler

	clock     atomic.Int64 // nanoseconds since 1970
	published chan uint64
	stop      context.CancelFunc
	ended     chan struct{}
}

// serve fills a registry with pods whose arrival the delta has forgotten.
// Nothing is published before start.
func serve(pods int) (*served, error) {
	s := &served{pods: make([]*corev1.Pod, pods), published: make(chan uint64), ended: make(chan struct{})}
	s.clock.Store(time.Now().UnixNano())
	s.registry = registry.New(func() time.Time { return time.Unix(0, s.clock.Load()) })
	for i := range s.pods {
		s.pods[i] = fleet.Pod(i)
		if _, err := s.replace(s.pods[i]); err != nil {
			return nil, err
		}
	}
	s.pass(registry.DeltaWindow + time.Second)
	s.registry.Forget()
	return s, nil
}

// replace does what the controller does with a pod, and returns the version of
// the registry in which it shows.
func (s *served) replace(pod *corev1.Pod) (version uint64, err error) {
	var said []registry.Claim
	inst, _, err := convertor.Convert(pod, rules)
	switch err {
	case nil:
		said = append(said, registry.Listed(inst))
	case convertor.ReasonNotReady:
	default:
		return 0, fmt.Errorf("convert pod %s: %w", fleet.Key(pod), err)
	}
	version, _ = s.registry.Replace(registry.OwnerPod, string(pod.UID), said...)
	return version, nil
}

// change turns one pod unready, or the one of the call before ready again: n
// counts the calls. Pods take turns from far apart, so that neighbours in an
// answer are not neighbours in time.
func (s *served) change(n int) (version uint64, err error) {
	const stride = 7919 // a prime, so that every pod has its turn
	pod := s.pods[n/2*stride%len(s.pods)]
	return s.replace(fleet.WithReady(pod, n%2 == 1, time.Unix(0, s.clock.Load())))
}

// pass moves the clock of the registry.
func (s *served) pass(d time.Duration) {
	s.clock.Add(int64(d))
}

// start publishes what the registry holds, and from then on every change at
// once.
func (s *served) start(ctx context.Context) {
	ready := make(chan struct{})
	close(ready)
	ctx, s.stop = context.WithCancel(ctx)
	s.publisher = snapshot.NewPublisher(snapshot.Config{
		Registry: s.registry,
		Ready:    ready,
		Published: func(version uint64) {
			select {
			case s.published <- version:
			case <-ctx.Done():
			}
		},
	})
	s.api = api.New(api.Config{Snapshot: s.publisher.Current, Registry: s.registry, Self: &eureka.Instance{}})
	go func() {
		defer close(s.ended)
		_ = s.publisher.Run(ctx) // nil by its contract
	}()
	s.await(0)
}

// await returns when the given version of the registry is published.
func (s *served) await(version uint64) {
	for v := range s.published {
		if v >= version {
			return
		}
	}
}

// close ends what start began.
func (s *served) close() {
	s.stop()
	<-s.ended
}

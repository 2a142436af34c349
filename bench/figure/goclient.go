package figure

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// GoClient is how soon a Go client that follows the stream knows of a pod.
type GoClient struct {
	// Known is from a pod's Ready event, as it is handed to the watch, until the loop
	// over a client's Watch has the pod's instance.
	Known Latency
	// Late is by how much the load's own timers were late at most.
	Late time.Duration
}

// MeasureGoClient measures pods turning ready, 25 a second beside 25 that turn
// unready, among pods, with one client that watches every app.
func MeasureGoClient(ctx context.Context, binary string, pods int, duration time.Duration) (GoClient, error) {
	c, err := startCluster(ctx, binary, pods, int(duration/changePeriod/2))
	if err != nil {
		return GoClient{}, err
	}
	defer c.close()
	if _, err := c.ready(ctx); err != nil {
		return GoClient{}, err
	}
	w, err := openWatcher(ctx, c)
	if err != nil {
		return GoClient{}, err
	}
	late := c.churn(ctx, w.sent)
	await(ctx, w.complete)
	mode := w.discovery.Stats().Mode
	if err := w.close(); err != nil {
		return GoClient{}, err
	}
	if mode != client.ModeStream {
		return GoClient{}, fmt.Errorf("the client followed by %s, want by the stream", mode)
	}
	known, err := w.known()
	return GoClient{Known: known, Late: late}, err
}

// watcher is a client, and when it came to know pods.
type watcher struct {
	discovery *client.Discovery
	stop      context.CancelFunc
	running   sync.WaitGroup

	mu        sync.Mutex // guards all below
	sightings map[string]*sighting
	errs      []error
}

// openWatcher returns when the client has a list, and watches each app that pods of c
// are to turn ready of.
func openWatcher(ctx context.Context, c *cluster) (*watcher, error) {
	servers, err := client.NewServers(client.Config{ServiceURLs: []string{c.API + "/eureka/"}})
	if err != nil {
		return nil, err
	}
	w := &watcher{discovery: client.NewDiscovery(servers, client.DiscoveryConfig{}), sightings: make(map[string]*sighting)}
	ctx, w.stop = context.WithCancel(ctx)
	w.running.Go(func() { w.failed(w.discovery.Run(ctx)) })
	waiting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := w.discovery.WaitReady(waiting); err != nil {
		return nil, errors.Join(err, w.close())
	}
	watched := make(map[string]bool)
	for _, pod := range c.spare {
		app := pod.Labels["eurekube.io/service"]
		if watched[app] {
			continue
		}
		watched[app] = true
		w.running.Go(func() {
			for instances := range w.discovery.Watch(ctx, app) {
				w.saw(instances)
			}
		})
	}
	return w, nil
}

// sent notes that pod is about to be handed to the watch.
func (w *watcher) sent(pod *corev1.Pod) {
	inst, _, err := convertor.Convert(pod, rules)
	if err != nil {
		w.failed(fmt.Errorf("convert pod %s: %w", pod.Name, err))
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sightings[inst.ID] = &sighting{sent: time.Now()}
}

func (w *watcher) saw(instances []*eureka.Instance) {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, inst := range instances {
		if s := w.sightings[inst.ID]; s != nil && s.seen.IsZero() {
			s.seen = now
		}
	}
}

// complete reports whether the client knows every pod.
func (w *watcher) complete() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.sightings {
		if s.seen.IsZero() {
			return false
		}
	}
	return true
}

func (w *watcher) failed(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errs = append(w.errs, err)
}

// close ends the client.
func (w *watcher) close() error {
	w.stop()
	w.running.Wait()
	return errors.Join(w.errs...)
}

// known sums up, after close.
func (w *watcher) known() (Latency, error) {
	var took []time.Duration
	for id, s := range w.sightings {
		if s.seen.IsZero() {
			return Latency{}, fmt.Errorf("%s is ready and the client does not know it", id)
		}
		took = append(took, s.seen.Sub(s.sent))
	}
	if len(took) == 0 {
		return Latency{}, errors.New("no pod turned ready")
	}
	return latencyOf(took), nil
}

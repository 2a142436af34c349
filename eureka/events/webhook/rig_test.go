package webhook

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a registry with a publisher, and a receiver that answers as a test says.
type rig struct {
	*testing.T
	registry  *registry.Registry
	publisher *snapshot.Publisher
	metrics   *prometheus.Registry
	logger    klog.Logger

	mu       sync.Mutex // guards all below
	answer   func(n int, r *http.Request) (status int, err error)
	attempts []attempt
	location string // where a redirect leads
}

// attempt is one POST that came.
type attempt struct {
	at        time.Time
	url, host string
	header    http.Header
	signature string
	body      string
}

// inBubble runs test on a clock of its own, with one pod listed.
func inBubble(t *testing.T, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{T: t, registry: registry.New(time.Now), metrics: prometheus.NewRegistry(), logger: ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true)))}
		ready := make(chan struct{})
		close(ready)
		r.publisher = snapshot.NewPublisher(snapshot.Config{Registry: r.registry, Ready: ready})
		r.list("first", eureka.StatusUp)
		r.start(r.publisher.Run)
		synctest.Wait()
		test(r)
	})
}

// start runs an actor until the test ends.
func (r *rig) start(run func(context.Context) error) (stop func()) {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), r.logger))
	actors, ctx := errgroup.WithContext(ctx)
	actors.Go(func() error { return run(ctx) })
	stop = sync.OnceFunc(func() {
		cancel()
		if err := actors.Wait(); err != nil {
			r.Error(err)
		}
	})
	r.Cleanup(stop)
	return stop
}

// send starts a Sender to the URLs that signs with a key.
func (r *rig) send(after snapshot.Token, urls ...string) (stop func()) {
	r.Helper()
	_, stop = r.sender(after, urls...)
	return stop
}

func (r *rig) sender(after snapshot.Token, urls ...string) (s *Sender, stop func()) {
	r.Helper()
	config := Config{
		Secret: func() []byte { return []byte("key") }, Snapshot: r.publisher.Current, Started: r.publisher.Started(), Registerer: r.metrics,
	}
	config.URLs = r.urls(urls...)
	s = NewSender(config)
	s.transport = r
	stop = r.start(func(ctx context.Context) error { return s.Run(ctx, after) })
	synctest.Wait() // it follows from now on
	return s, stop
}

func (r *rig) urls(lines ...string) []*url.URL {
	r.Helper()
	urls, err := ParseURLs(strings.Join(lines, "\n"))
	if err != nil {
		r.Fatal(err)
	}
	return urls
}

// RoundTrip is the network and the receiver.
func (r *rig) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.attempts = append(r.attempts, attempt{time.Now(), request.URL.String(), request.URL.Host, request.Header, request.Header.Get(SignatureHeader), string(body)})
	n, answer := len(r.attempts), r.answer
	r.mu.Unlock()
	status := http.StatusNoContent
	if answer != nil {
		if status, err = answer(n, request); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Location": {r.location}}, Body: io.NopCloser(strings.NewReader("")), Request: request}, nil
}

// list makes the registry list a pod with a status, gone for the empty one, and
// lets that be told.
func (r *rig) list(name string, status eureka.Status) {
	var claims []registry.Claim
	if status != "" {
		claims = append(claims, registry.Listed(&eureka.Instance{
			ID: name, App: "ORDERS", HostName: name, IPAddr: "10.0.0.1", Status: status, OverriddenStatus: eureka.StatusUnknown, VIPAddress: "orders",
			DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
		}))
	}
	r.registry.Replace(registry.OwnerPod, name, claims...)
	synctest.Wait()
}

// told returns the attempts until now.
func (r *rig) told() []attempt {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.attempts
}

// expectMetric compares the values of a metric, by reason if it has one.
func (r *rig) expectMetric(name string, want map[string]float64) {
	r.Helper()
	synctest.Wait()
	families, err := r.metrics.Gather()
	if err != nil {
		r.Fatal(err)
	}
	got := make(map[string]float64)
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			reason := ""
			for _, label := range m.GetLabel() {
				if label.GetName() == "reason" {
					reason = label.GetValue()
				}
			}
			got[reason] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

var errRefused = errors.New("connection refused")

package webhook

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// Config is what a Sender needs.
type Config struct {
	// URLs are whom to tell: http or https, with credentials for basic auth if they
	// are to be sent. ParseURLs makes them.
	URLs []*url.URL
	// Secret returns the key of the signatures; nil signs nothing. It is called for
	// each attempt, so that a new key is used at once.
	Secret func() []byte
	// Snapshot returns the current snapshot; it is called when Started is closed.
	Snapshot func() *snapshot.Snapshot
	Started  <-chan struct{}
	// Registerer takes the metrics; it may be nil.
	Registerer prometheus.Registerer
}

// Sender sends the changes of the list to all webhooks, each at its own pace.
type Sender struct {
	config  Config
	metrics *metrics
	client  *http.Client
}

// attemptTimeout bounds one attempt, from the connection to the answer.
const attemptTimeout = 10 * time.Second

// NewSender returns a Sender that does nothing until Run.
func NewSender(config Config) *Sender {
	return &Sender{
		config:  config,
		metrics: newMetrics(config.Registerer),
		client: &http.Client{
			Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 1, IdleConnTimeout: 90 * time.Second, MaxResponseHeaderBytes: 64 << 10},
			Timeout:   attemptTimeout,
			// What answers elsewhere is not whom the operator named.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Run sends changes until ctx ends and then returns nil: those from now on, and
// those published since the given time as far as this server knows them, for a
// server that takes the place of another; the zero time is none of them. What has
// not been sent when ctx ends is not sent any more. It may be called again after it
// returned, by one goroutine at a time.
func (s *Sender) Run(ctx context.Context, since time.Time) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.config.Started:
	}
	s.metrics.sending.Set(1)
	defer s.metrics.sending.Set(0)
	defer s.client.CloseIdleConnections()

	queues := make([]*queue, len(s.config.URLs))
	defer func() {
		for _, q := range queues {
			q.end()
		}
	}()
	var posting sync.WaitGroup
	defer posting.Wait()
	for i, to := range s.config.URLs {
		r := &receiver{sender: s, url: to, name: to.Host, queue: newQueue(s.metrics, to.Host)}
		queues[i] = r.queue
		posting.Go(func() { r.run(ctx) })
	}
	s.follow(ctx, since, queues)
	return nil
}

// follow puts each change into all queues until ctx ends.
func (s *Sender) follow(ctx context.Context, since time.Time, queues []*queue) {
	at := s.config.Snapshot()
	put := func(changes []*snapshot.Change) {
		for _, change := range changes {
			for _, q := range queues {
				q.put(event{change, at.Token()})
			}
		}
	}
	if !since.IsZero() {
		put(at.After(since))
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-at.Moved():
		}
		next := s.config.Snapshot()
		changes, known := next.Since(at.Token())
		if !known { // more than a feed holds, in one step: this goroutine slept for long
			missed := next.Sequence() - at.Sequence()
			klog.FromContext(ctx).Info("Changes were lost before webhooks could be told", "changes", missed)
			for _, q := range queues {
				q.lost(missed)
			}
		}
		at = next
		put(changes)
	}
}

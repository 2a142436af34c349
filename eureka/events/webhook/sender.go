package webhook

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// Config is what a Sender needs.
type Config struct {
	// URLs are whom to tell at first: http or https, with credentials for basic auth
	// if they are to be sent. ParseURLs makes them. No two may differ in their
	// passwords alone.
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
	config    Config
	metrics   *metrics
	transport http.RoundTripper

	mu       sync.Mutex    // guards what follows
	urls     []*url.URL    // whom to tell
	replaced chan struct{} // closed when urls are others
}

// attemptTimeout bounds one attempt, from the connection to the answer.
const attemptTimeout = 10 * time.Second

// NewSender returns a Sender that does nothing until Run.
func NewSender(config Config) *Sender {
	return &Sender{
		config:    config,
		metrics:   newMetrics(config.Registerer),
		urls:      config.URLs,
		replaced:  make(chan struct{}),
		transport: &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 1, IdleConnTimeout: 90 * time.Second, MaxResponseHeaderBytes: 64 << 10},
	}
}

// Tell makes urls those who are told from now on, under the rules of Config.URLs. Who
// was told already, by a URL that is the same but for the password, goes on with what
// waits for it; what waits for others is dropped. Any goroutine may call it at any time.
func (s *Sender) Tell(urls []*url.URL) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.urls = urls
	close(s.replaced)
	s.replaced = make(chan struct{})
}

// receivers are whom to tell now, and what is closed when they are others.
func (s *Sender) receivers() (urls []*url.URL, replaced <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.urls, s.replaced
}

// Run sends changes until ctx ends and then returns nil: those from now on, and those
// after a place among this server's as far as it knows them, for a server that takes
// the place of another; the zero Token is none of them. What has not been sent when
// ctx ends is not sent any more. It may be called again after it returned, by one
// goroutine at a time.
func (s *Sender) Run(ctx context.Context, after snapshot.Token) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.config.Started:
	}
	s.metrics.sending.Set(1)
	defer s.metrics.sending.Set(0)
	if idle, ok := s.transport.(*http.Transport); ok { // tests have another
		defer idle.CloseIdleConnections()
	}

	t := term{sender: s, told: make(map[string]*receiver)}
	defer t.end()
	t.follow(ctx, after)
	return nil
}

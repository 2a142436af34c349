package events

import (
	"context"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// pingInterval is how often a client hears of the server when nothing changes:
// half of the 30 seconds after which the strictest proxies end a silent connection.
const pingInterval = 15 * time.Second

// Config is what a Stream needs.
type Config struct {
	// Snapshot returns the current snapshot. There must be one when a request
	// comes.
	Snapshot func() *snapshot.Snapshot
	// Stopping is closed when the server listens no more: every stream ends then,
	// and its client finds another server. Nil never is.
	Stopping <-chan struct{}
	// WriteTimeout is how long a client may take for each write, a list or some
	// events. It is not waited for any longer.
	WriteTimeout time.Duration
	// Registerer takes the metrics; it may be nil.
	Registerer prometheus.Registerer
}

// Stream is the http.Handler of GET stream. Any number of goroutines may use it at
// once; each request takes its goroutine until it ends.
type Stream struct {
	config  Config
	metrics *metrics
}

// NewStream returns a Stream. It starts nothing.
func NewStream(config Config) *Stream {
	return &Stream{config: config, metrics: newMetrics(config.Registerer)}
}

// ServeHTTP answers with events until the client goes, is cut off or the server
// stops. A query that it cannot read is 400 with one line that names the parameter.
func (s *Stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked, err := parseRequest(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform") // a proxy that compresses keeps events until it has a block of them
	h.Set("X-Accel-Buffering", "no")                 // nginx would keep events until its buffer is full
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return
	}
	s.metrics.open.Inc()
	defer s.metrics.open.Dec()
	c := newClient(w, s.config.WriteTimeout, s.metrics)
	defer c.close()
	if reason := s.follow(r.Context(), c, asked); reason != "" {
		s.metrics.cut.WithLabelValues(reason).Inc()
	}
}

// follow writes events. It returns why the stream is cut, nothing if it is not.
func (s *Stream) follow(ctx context.Context, c *client, asked *request) (cut string) {
	at, err := c.begin(s.config.Snapshot(), asked)
	if err != nil {
		return c.cutReason()
	}
	ping := time.NewTicker(pingInterval)
	defer ping.Stop()
	for {
		current := s.config.Snapshot()
		changes, known := current.Since(at)
		if !known {
			return cutBehind
		}
		if at, err = c.tell(current, changes, asked.filter); err != nil {
			return c.cutReason()
		}
		moved := current.Moved()
		if at != current.Token() {
			moved = goOn
		}
		select {
		case <-ctx.Done():
			return ""
		case <-s.config.Stopping:
			return ""
		case <-moved:
		case <-ping.C:
			if err := c.ping(at); err != nil {
				return c.cutReason()
			}
		}
	}
}

// goOn is for a stream that has more to tell. It looks at the current snapshot after
// each write, so that a client which takes hours for the changes of three minutes
// does not hold them for as long.
var goOn = func() <-chan struct{} {
	closed := make(chan struct{})
	close(closed)
	return closed
}()

// begin writes the first event and returns the place from where the stream goes on.
func (c *client) begin(s *snapshot.Snapshot, asked *request) (snapshot.Token, error) {
	at, reset := asked.start(s)
	if reset {
		return at, c.reset(s, asked.filter)
	}
	return at, c.ping(at)
}

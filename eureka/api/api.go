package api

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/mux"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
	"github.com/eurekube/eurekube/internal/auth"
)

// Config is what the API answers from.
type Config struct {
	// Snapshot returns the current snapshot, nil while there is none: reads are
	// then 503.
	Snapshot func() *snapshot.Snapshot
	// Registry says what one id names at this moment.
	Registry *registry.Registry
	// Leases takes what instances say of themselves; without it the API has reads
	// only, and writes are 405.
	Leases *lease.Store
	// MaxBody is how many bytes the body of a request may have, before and after
	// inflation; a longer one is 413.
	MaxBody int64
	// Users are who may write; nil lets everybody. With AuthReads reads are theirs
	// alone as well.
	Users     *auth.File
	AuthReads bool
	// Shown waits until all that the registry was told before can be seen in
	// snapshots, or until ctx ends. A write that clients may look for at once is
	// answered after it; nil does not wait.
	Shown func(ctx context.Context)
	// ShownUnlessFlooded is Shown for a registration: it does not wait while
	// thousands come at once. It may be nil.
	ShownUnlessFlooded func(ctx context.Context)
	// Stopping is closed when the server listens no more: what waits for a change is
	// answered then. Nil never is.
	Stopping <-chan struct{}
	// WriteTimeout is how long an answer that waited may take to be written, as the
	// server allows those that did not.
	WriteTimeout time.Duration
	// Self is this server as GET status shows it; its clocks are filled in.
	Self *eureka.Instance
	// Stream answers GET stream, which goes on for as long as the client likes, under
	// the rules of a read; nil for none.
	Stream http.Handler
	// Home answers GET /, the page for people, to those who may read, also while there
	// is no snapshot; nil for none.
	Home http.Handler
	// Mounts are the paths of other registries' protocols, outside the prefixes.
	Mounts []Mount
	// Registerer takes the metrics; it may be nil.
	Registerer prometheus.Registerer
}

// prefixes are the paths that the API is served under; Spring's servers know
// both (protocol section 2.1). The router tries the routes in order, so the
// spelling that Spring's clients use comes first.
var prefixes = []string{"/eureka", "/eureka/v2"}

// API is the http.Handler of the Eureka API. Any number of goroutines may use it
// at once.
type API struct {
	config  Config
	started time.Time
	nonce   string // tells this server's ETags from those of a replica or of an earlier start
	metrics *metrics
	origins http.CrossOriginProtection // trusts none but the server's own
	// fixed holds the routes without variables by path: nearly all requests are
	// for these, and the router would copy each request twice to carry what they
	// have not.
	fixed map[string]http.Handler
	// single is the route of single instances, which heartbeats take: they are
	// the most frequent request, and the router would take twice as long as all
	// that is done for one.
	single http.Handler
	router *mux.Router
}

// New returns the API under all its prefixes. Anything else is 404.
func New(config Config) *API {
	a := &API{
		config: config, started: time.Now(), nonce: rand.Text()[:8],
		metrics: newMetrics(config.Registerer), fixed: make(map[string]http.Handler),
	}
	// The path is in one spelling when the router sees it; a router that cleans
	// it would answer 301, and a client would lose its PUT.
	a.router = mux.NewRouter().SkipClean(true).UseEncodedPath()
	for _, prefix := range prefixes {
		for _, res := range a.resources() {
			h := a.observe(res.path, res.serve)
			a.router.Path(prefix + res.path).Name(prefix + res.path).Handler(h)
			if !strings.Contains(res.path, "{") {
				a.fixed[prefix+res.path] = h
			}
			if res.path == instancePath {
				a.single = h
			}
		}
	}
	if config.Home != nil {
		home := resource{"/", map[string]handler{http.MethodGet: a.toReaders(a.getHome)}}
		a.fixed[home.path] = a.observe(home.path, home.serve)
		a.router.Path(home.path).Handler(a.fixed[home.path]) // for //, which is / too
	}
	for _, m := range config.Mounts {
		a.fixed[m.Path] = a.observe(m.Path, a.mounted(m))
		a.router.Path(m.Path).Handler(a.fixed[m.Path])
	}
	a.router.NotFoundHandler = a.observe(unmatched, func(*response, *http.Request) error { return errNotFound })
	return a
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h, ok := a.fixed[r.URL.Path]; ok && r.URL.RawPath == "" {
		h.ServeHTTP(w, r)
		return
	}
	r = canonical(r)
	if _, _, ok := ofInstance(r.URL); ok {
		a.single.ServeHTTP(w, r)
		return
	}
	a.router.ServeHTTP(w, r)
}

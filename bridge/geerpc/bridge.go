package geerpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// Path is where GeeRPC programs look for their registry.
const Path = "/_geerpc_/registry"

// The headers of the protocol, as GeeRPC spells them.
const (
	headerServer  = "X-Geerpc-Server"
	headerServers = "X-Geerpc-Servers"
)

// Config is what the bridge stands between.
type Config struct {
	// App is the Eureka application of servers that are posted, in upper case.
	App string
	// TTL is how long a server lives after its last POST, in whole seconds; 0 is
	// for ever.
	TTL time.Duration
	// Snapshot returns the current snapshot. The list is not asked for while there
	// is none.
	Snapshot func() *snapshot.Snapshot
	// Registry says what one id names at this moment.
	Registry *registry.Registry
	// Leases takes what is posted; nil when nothing is.
	Leases *lease.Store
	// ShownUnlessFlooded waits until all that the registry was told before can be
	// read, unless thousands come at once. It may be nil.
	ShownUnlessFlooded func(ctx context.Context)
}

// Bridge answers GeeRPC programs. Any number of goroutines may use it at once.
type Bridge struct {
	config Config
	list   list

	tooLong atomic.Bool // the list that was asked for last
}

// New returns a Bridge.
func New(config Config) *Bridge {
	return &Bridge{config: config}
}

// Get answers with the list of servers in a header and no body. It is 500 with the
// reason when the list is longer than clients read.
func (b *Bridge) Get(w http.ResponseWriter, r *http.Request) {
	servers, err := b.list.of(b.config.Snapshot())
	if err != nil {
		if !b.tooLong.Swap(true) {
			klog.FromContext(r.Context()).Error(err, "GeeRPC servers are not listed any more")
		}
		http.Error(w, headerServers+": "+err.Error(), http.StatusInternalServerError)
		return
	}
	b.tooLong.Store(false)
	w.Header().Set(headerServers, servers)
}

// Post takes the server in the header, or keeps it alive, and answers with
// nothing. Without the header it is 500, as in GeeRPC; 400 says what is wrong with
// a server, 403 why it may not register, and 503 that the list is full.
func (b *Bridge) Post(w http.ResponseWriter, r *http.Request) {
	text, err := posted(r.Header)
	if errors.Is(err, errNoServer) {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	inst, err := b.instance(text, r.RemoteAddr)
	if err != nil {
		http.Error(w, fmt.Sprintf("%s: %q %v", headerServer, clip(text), err), http.StatusBadRequest)
		return
	}
	if b.renew(r.Context(), inst) {
		return
	}
	if b.list.isFull(b.config.Snapshot()) {
		http.Error(w, "the list of servers is full", http.StatusServiceUnavailable)
		return
	}
	b.register(w, r, inst)
}

// errNoServer says that the request names no server.
var errNoServer = errors.New("there is no " + headerServer)

// posted is the one server of a POST.
func posted(h http.Header) (text string, err error) {
	switch values := h.Values(headerServer); {
	case len(values) > 1:
		return "", errors.New(headerServer + " is there twice")
	case len(values) == 0 || values[0] == "":
		return "", errNoServer
	default:
		return values[0], nil
	}
}

// instance is the instance that is posted as text from the address of a
// connection. Headers of proxies are not believed: anybody can write them.
func (b *Bridge) instance(text, remote string) (*eureka.Instance, error) {
	s, err := parseServer(text)
	if err != nil {
		return nil, err
	}
	from, _ := netip.ParseAddrPort(remote) // without an address it belongs to nobody
	inst, ok := s.instance(text, b.config.App, b.config.TTL, from.Addr())
	if !ok {
		return nil, errors.New("has no address that others can call")
	}
	return inst, nil
}

// renew keeps inst alive if it is listed as it was posted now: then nothing that
// anybody reads changes. A lease that the operator or an earlier POST left
// otherwise begins anew.
func (b *Bridge) renew(ctx context.Context, inst *eureka.Instance) bool {
	rec, _ := b.config.Registry.Lookup(inst.App, inst.ID)
	if rec.Listed == nil || rec.Listed.Metadata[metadataServer] != inst.Metadata[metadataServer] {
		return false
	}
	return b.config.Leases.Renew(ctx, inst.App, inst.ID, lease.Renewal{}) == nil
}

// register begins a lease for inst. Whoever posts for the first time may look for
// itself at once.
func (b *Bridge) register(w http.ResponseWriter, r *http.Request, inst *eureka.Instance) {
	from, _ := netip.ParseAddrPort(r.RemoteAddr)
	err := b.config.Leases.Register(r.Context(), inst, from.Addr().Unmap(), false)
	var forbidden *lease.ForbiddenError
	switch {
	case errors.As(err, &forbidden):
		http.Error(w, forbidden.Reason, http.StatusForbidden)
	case err != nil:
		klog.FromContext(r.Context()).Error(err, "GeeRPC server not registered", "instanceID", inst.ID)
		w.WriteHeader(http.StatusInternalServerError)
	case b.config.ShownUnlessFlooded != nil:
		b.config.ShownUnlessFlooded(r.Context())
	}
}

// clip is the part of a stranger's text that is worth telling back.
func clip(text string) string { return text[:min(len(text), 80)] }

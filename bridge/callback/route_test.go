package callback

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/internal/pause"
)

func TestRoute_IsCountedByTheMachineThatItLeadsTo(t *testing.T) {
	tests := []struct{ name, addr, host, machine string }{
		{name: "IPv4", addr: "10.0.0.1", host: "10.0.0.1/log.example:4000", machine: "10.0.0.1"},
		{name: "IPv6", addr: "fd00::1", host: "[fd00::1/log.example]:4000", machine: "fd00::1"},
		{name: "NAT64", addr: "64:ff9b::a00:1", host: "[64:ff9b::a00:1/log.example]:4000", machine: "10.0.0.1"},
		{name: "6to4", addr: "2002:a00:1::7", host: "[2002:a00:1::7/log.example]:4000", machine: "10.0.0.1"},
		{name: "IPv4-compatible", addr: "::10.0.0.1", host: "[::a00:1/log.example]:4000", machine: "10.0.0.1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			to := calleeAt(t, "http://log.example:4000/beat")
			got := newRoute(to.endpoint, netip.MustParseAddr(tt.addr))
			if got.url.Host != tt.host || got.machine != tt.machine || to.url.Host != "log.example:4000" {
				t.Errorf("route to %s by %s, counted by %s, want by %s, counted by %s", to.url.Host, got.url.Host, got.machine, tt.host, tt.machine)
			}
			at, host, err := readPlace(net.JoinHostPort(got.url.Hostname(), got.url.Port()))
			if err != nil || host != "log.example" || at.Addr().String() != netip.MustParseAddr(tt.addr).String() || at.Port() != 4000 {
				t.Errorf("the route is read as %s, %s, %v", at, host, err)
			}
		})
	}
}

// crowd remembers how many were in it at once.
type crowd struct {
	mu        sync.Mutex // guards all below
	now, most int
}

// stay is in the crowd for half a second, or until ctx ends.
func (c *crowd) stay(ctx context.Context) {
	c.mu.Lock()
	c.now++
	c.most = max(c.most, c.now)
	c.mu.Unlock()
	pause.For(ctx, 500*time.Millisecond)
	c.mu.Lock()
	c.now--
	c.mu.Unlock()
}

// Whoever has a domain has any number of names, which may all lead to one victim.
func TestProbes_OfManyNamesAreCountedByTheirAddress(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		victim := &crowd{}
		r.serve(r.T, "10.9.9.9:4000", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			victim.stay(r.Context())
			w.WriteHeader(http.StatusNotFound)
		}))
		r.bridge.calls.dialer.resolve = func(context.Context, string, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("10.9.9.9")}, nil
		}
		for n := range 100 {
			body := strings.ReplaceAll(valid("RequiredServices", "[]"), "10.0.0.1", fmt.Sprintf("n%d.example", n))
			r.expect(http.MethodPost, body, http.StatusOK)
		}
		time.Sleep(time.Minute)
		victim.mu.Lock()
		defer victim.mu.Unlock()
		if victim.most != callsAtOnceHost {
			r.Errorf("the victim had %d calls at once, want %d", victim.most, callsAtOnceHost)
		}
	})
}

// A slow resolver is asked for a bounded number of names at once, and registrations
// without a name do not wait for it.
func TestLookups_AreBounded(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		lookups := &crowd{}
		r.bridge.calls.dialer.resolve = func(ctx context.Context, _, host string) ([]netip.Addr, error) {
			lookups.stay(ctx)
			return nil, &net.DNSError{Err: "server misbehaving", Name: host}
		}
		var posts sync.WaitGroup
		for n := range 500 {
			posts.Go(func() {
				r.expect(http.MethodPost, strings.ReplaceAll(valid("", ""), "10.0.0.1", fmt.Sprintf("n%d.example", n)), http.StatusServiceUnavailable)
			})
		}
		r.expect(http.MethodPost, valid("RequiredServices", "[]"), http.StatusOK)
		posts.Wait()
		if lookups.most != callsAtOnce {
			r.Errorf("%d names were looked up at once, want %d", lookups.most, callsAtOnce)
		}
	})
}

// changing is a resolver whose answer tests change.
type changing struct {
	mu    sync.Mutex // guards all below
	addrs []string
	asked int
}

func (c *changing) lookup(ctx context.Context, network, host string) ([]netip.Addr, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	return names{host: c.addrs}.lookup(ctx, network, host)
}

// count is how often it was asked.
func (c *changing) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

func (c *changing) set(addrs ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addrs = addrs
}

// named registers a service by a name that leads to these addresses.
func (r *rig) named(addrs ...string) *changing {
	c := &changing{addrs: addrs}
	r.bridge.calls.dialer.resolve = c.lookup
	r.expect(http.MethodPost, strings.ReplaceAll(valid("RequiredServices", "[]"), "10.0.0.1", "log.example"), http.StatusOK)
	return c
}

func TestProbes_FollowANameThatMoves(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		before, after := r.start(1, "before"), r.start(2, "after")
		resolver := r.named("10.0.0.1")
		time.Sleep(10 * time.Minute)
		if n := resolver.count(); n < 20 || n > 30 { // one at the registration
			r.Errorf("the name was looked up %d times in ten minutes of probes that were answered, want about 20", n)
		}
		resolver.set("10.0.0.2")
		time.Sleep(maxRouteAge + probeInterval)
		n := before.probed()
		time.Sleep(time.Minute)
		if before.probed() != n || after.probed() == 0 {
			r.Errorf("%d probes went on to the address of before, %d to the one of now", before.probed()-n, after.probed())
		}
	})
}

// A name has an address that does not answer, as of a pod that ended or of a family
// that is not routed.
func TestProbes_TryTheNextAddress(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		service := r.start(1, "log")
		r.named("fd00::7", "10.0.0.1")
		time.Sleep(time.Minute)
		if service.probed() == 0 {
			r.Error("the service was not probed at its second address")
		}
		if diff := cmp.Diff([]string{"[fd00::7]:4000", "10.0.0.1:4000"}, r.connectedTo()); diff != "" {
			r.Errorf("connections (-want +got):\n%s", diff)
		}
		r.expectListed("LOG", "log.example:4000")
	})
}

// A connection to a server that proved to be one name is no proof for another.
func TestProbes_OverTLSAreOfTheNameThatIsCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if name, _, _ := net.SplitHostPort(r.Host); name != "example.com" || r.TLS.ServerName != name {
				t.Errorf("Host is %s where the certificate of %s was asked for", r.Host, r.TLS.ServerName)
			}
		}))
		n := newNetwork()
		server.Listener.Close()
		server.Listener = n.listen("10.0.0.1:443")
		server.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that fail
		server.StartTLS()
		defer server.Close()
		c := newNetworkCaller(t, n)
		c.dialer.tls.RootCAs = x509.NewCertPool()
		c.dialer.tls.RootCAs.AddCert(server.Certificate())
		c.dialer.resolve = names{"example.com": {"10.0.0.1"}, "stranger.example": {"10.0.0.1"}}.lookup
		proven, stranger := calleeAt(t, "https://example.com"), calleeAt(t, "https://stranger.example")
		for range 2 {
			if err := c.probe(t.Context(), proven, true); err != nil {
				t.Errorf("probe of the name in the certificate: %v", err)
			}
			if err := c.probe(t.Context(), stranger, true); err == nil || !isUnsent(err) {
				t.Errorf("probe of another name: %v, want an error about the certificate", err)
			}
		}
	})
}

// A service that moved is looked for at its new address by the next try.
func TestProbes_LookUpAgainAfterAFailure(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		before, after := r.start(1, "before"), r.start(2, "after")
		resolver := r.named("10.0.0.1")
		for n := resolver.count(); resolver.count() == n; { // so that the address is believed for long
			time.Sleep(time.Second)
		}
		before.stop()
		resolver.set("10.0.0.2")
		for range 20 {
			time.Sleep(500 * time.Millisecond)
			r.expectListed("LOG", "log.example:4000")
		}
		if after.probed() == 0 {
			r.Error("the service was not probed at its new address")
		}
	})
}

// Services that do not answer take all the time of the probes that wait for them,
// and none of the others.
func TestProbes_OfSilentServicesHoldUpNobodyElse(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		log := r.start(1, "Log")
		log.register()
		time.Sleep(time.Minute)
		for n := range 1000 {
			hanging := r.start(256+n, "Hanging")
			hanging.set(func(p *program) { p.hang = true })
			hanging.register()
		}
		time.Sleep(time.Minute)
		n := log.probed()
		time.Sleep(time.Minute)
		if n = log.probed() - n; n < 19 || n > 21 {
			r.Errorf("%d probes in a minute beside 1,000 services that are silent, want 20", n)
		}
	})
}

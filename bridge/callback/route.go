package callback

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxRouteAge is how long the addresses of a name are believed while calls to them
// succeed; after a call that failed they are looked up again. It is how long the
// names of a cluster live by default.
const maxRouteAge = 30 * time.Second

// callee is an endpoint as one goroutine calls it again and again: it remembers the
// addresses of the host.
type callee struct {
	endpoint
	routes  []route
	next    int       // the route to begin with, modulo their number
	expires time.Time // when the host is looked up again
}

// route is an endpoint at one address of its host. The address is known before it is
// the turn of a call, so that calls are counted by the machine that they go to:
// whoever has a domain has any number of names that lead to it.
type route struct {
	url *url.URL // with a place for a host
	// machine is what calls are counted by: the address at which packets end.
	machine string
}

// newRoute is the way to e at addr. A transport keeps connections by the host and
// port of URLs, so those are the address, which it is to connect to, and behind a
// slash the host whose certificate is wanted.
func newRoute(e endpoint, addr netip.Addr) route {
	u := *e.url
	u.Host = net.JoinHostPort(addr.String()+"/"+e.host, strconv.Itoa(e.port))
	return route{url: &u, machine: effective(addr).String()}
}

// readPlace takes the host and port of a route apart.
func readPlace(place string) (at netip.AddrPort, host string, err error) {
	both, port, err := net.SplitHostPort(place)
	if err != nil {
		return netip.AddrPort{}, "", err
	}
	addr, host, found := strings.Cut(both, "/")
	if !found {
		return netip.AddrPort{}, "", fmt.Errorf("%q is no route", place)
	}
	at, err = netip.ParseAddrPort(net.JoinHostPort(addr, port))
	return at, host, err
}

// find looks the addresses of to up if those that are known are too old. Looking up
// has a turn of its own, by name: a resolver that is slow takes none from calls to
// machines.
func (c *caller) find(ctx context.Context, limit *limiter, to *callee) error {
	if time.Now().Before(to.expires) {
		return nil
	}
	if !to.addr.IsValid() {
		release, err := limit.acquire(ctx, to.host)
		if err != nil {
			return &unsentError{err}
		}
		defer release()
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addrs, err := c.dialer.addresses(ctx, to.host, uint16(to.port))
	if err != nil {
		return &unsentError{err}
	}
	to.routes = to.routes[:0]
	for _, addr := range addrs {
		to.routes = append(to.routes, newRoute(to.endpoint, addr))
	}
	to.expires = time.Now().Add(maxRouteAge)
	return nil
}

// reach has call called when it is the turn of one of the addresses of to. One that
// there is no connection to gives way to the next one, and a call that failed
// begins the next time with another. The calls have timeout together, in which they
// do not wait for turns.
func (c *caller) reach(ctx context.Context, limit *limiter, to *callee, timeout time.Duration, call func(context.Context, route) error) error {
	if err := c.find(ctx, limit, to); err != nil {
		return err
	}
	var err error
	for range to.routes {
		var took time.Duration
		took, err = inTurn(ctx, limit, to.routes[to.next%len(to.routes)], timeout, call)
		if err == nil {
			return nil
		}
		to.next++
		if timeout -= took; !isUnsent(err) || timeout <= 0 {
			break
		}
	}
	to.expires = time.Time{}
	return err
}

// inTurn calls by one route when it is its turn, and returns how long the call took.
func inTurn(ctx context.Context, limit *limiter, by route, timeout time.Duration, call func(context.Context, route) error) (took time.Duration, err error) {
	release, err := limit.acquire(ctx, by.machine)
	if err != nil {
		return 0, &unsentError{err}
	}
	defer release()
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err = call(ctx, by)
	return time.Since(began), err
}

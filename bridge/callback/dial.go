package callback

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// forbiddenError says that a host may not be called on a port, and why.
type forbiddenError struct {
	host string
	port uint16
	why  verdict
}

func (e *forbiddenError) Error() string {
	switch e.why {
	case neverCalled:
		return e.host + " is never called, whatever --callback-targets says"
	case ownPort:
		return fmt.Sprintf("port %d of this machine is one of Eurekube's own and is never called", e.port)
	}
	return "no address of " + e.host + " may be called: see --callback-targets"
}

// verdict is whether an address may be called, or why not. The smaller, the more
// there is to be done about it.
type verdict int

const (
	mayBeCalled    verdict = iota
	outsideTargets         // until the operator allows it
	ownPort                // of this program, on this machine
	neverCalled
)

const (
	connectTimeout = time.Second // with the handshake of TLS
	// maxAddresses is how many addresses of one name are tried.
	maxAddresses = 4
)

// dialer connects to addresses that may be called, and to no others: a name is
// looked up here, each address of it is judged, and the kernel's idea of where a
// connection goes is judged again before the first packet, so that neither a name
// that changes nor a proxy leads elsewhere.
type dialer struct {
	targets Targets
	// ownPorts are those that are not called on this machine; it may be nil.
	ownPorts func() []uint16
	tls      *tls.Config // without a server's name
	// resolve is that of the net package; tests put names of their own in its place.
	resolve func(ctx context.Context, network, host string) ([]netip.Addr, error)
	// connect is that of a net.Dialer; tests in virtual time replace it.
	connect func(ctx context.Context, network, address string) (net.Conn, error)
}

func newDialer(targets Targets, ownPorts func() []uint16) *dialer {
	d := &dialer{targets: targets, ownPorts: ownPorts, tls: &tls.Config{MinVersion: tls.VersionTLS12}, resolve: net.DefaultResolver.LookupNetIP}
	d.connect = (&net.Dialer{Timeout: connectTimeout, ControlContext: d.control}).DialContext
	return d
}

// addresses are those of host, a name or an address, that may be called on port. It
// is a *forbiddenError if there are none, or what the resolver says.
func (d *dialer) addresses(ctx context.Context, host string, port uint16) ([]netip.Addr, error) {
	addr, isAddress, err := literal(host)
	all := []netip.Addr{addr}
	if err == nil && !isAddress {
		all, err = d.resolve(ctx, "ip", host)
	}
	if err != nil {
		return nil, err
	}
	allowed, why := make([]netip.Addr, 0, min(len(all), maxAddresses)), neverCalled
	for _, addr := range all {
		verdict := d.judge(netip.AddrPortFrom(addr, port))
		if verdict == mayBeCalled && len(allowed) < maxAddresses {
			allowed = append(allowed, addr.Unmap())
		}
		why = min(why, verdict)
	}
	if len(allowed) == 0 {
		return nil, &forbiddenError{host, port, why}
	}
	return allowed, nil
}

// judge says whether at may be called. The ports of this program may not on this
// machine: a NetworkPolicy that closes the one for operators to others does not hold
// for calls to oneself, and the others are no services. Which ports these are is told
// only where others may be called.
func (d *dialer) judge(at netip.AddrPort) verdict {
	switch {
	case isNeverCalled(at.Addr()):
		return neverCalled
	case !d.targets.allow(at.Addr()):
		return outsideTargets
	case d.isOwnPort(at.Port()) && isOwn(effective(at.Addr())):
		return ownPort
	}
	return mayBeCalled
}

func (d *dialer) isOwnPort(port uint16) bool {
	return d.ownPorts != nil && slices.Contains(d.ownPorts(), port)
}

// isOwn reports whether addr is one of this machine's, or may be.
func isOwn(addr netip.Addr) bool {
	interfaces, err := net.InterfaceAddrs()
	if err != nil || addr.IsLoopback() {
		return true
	}
	return slices.ContainsFunc(interfaces, func(own net.Addr) bool {
		prefix, err := netip.ParsePrefix(own.String())
		return err == nil && prefix.Addr().Unmap() == addr
	})
}

// dial is the DialContext of an http.Transport whose URLs are those of routes.
func (d *dialer) dial(ctx context.Context, network, place string) (net.Conn, error) {
	at, _, err := readPlace(place)
	if err != nil {
		return nil, &unsentError{err}
	}
	conn, err := d.connect(ctx, network, at.String())
	if err != nil {
		return nil, &unsentError{err}
	}
	return conn, nil
}

// dialTLS is the DialTLSContext.
func (d *dialer) dialTLS(ctx context.Context, network, place string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := d.dial(ctx, network, place)
	if err != nil {
		return nil, err
	}
	config := d.tls.Clone()
	if _, config.ServerName, err = readPlace(place); err == nil {
		secure := tls.Client(conn, config)
		if err = secure.HandshakeContext(ctx); err == nil {
			return secure, nil
		}
	}
	return nil, &unsentError{errors.Join(err, conn.Close())}
}

// control is the last look before a connection is made.
func (d *dialer) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("connect to %q: %w", address, err)
	}
	if why := d.judge(at); why != mayBeCalled {
		return &forbiddenError{at.Addr().String(), at.Port(), why}
	}
	return nil
}

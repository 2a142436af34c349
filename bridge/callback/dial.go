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

// forbiddenError says that a host may not be called.
type forbiddenError struct{ host string }

func (e *forbiddenError) Error() string {
	return "no address of " + e.host + " may be called: see --callback-targets"
}

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
	allowed := make([]netip.Addr, 0, min(len(all), maxAddresses))
	for _, addr := range all {
		if d.allow(netip.AddrPortFrom(addr, port)) && len(allowed) < maxAddresses {
			allowed = append(allowed, addr.Unmap())
		}
	}
	if len(allowed) == 0 {
		return nil, &forbiddenError{host}
	}
	return allowed, nil
}

// allow reports whether at may be called. The ports of this program may not on this
// machine: a NetworkPolicy that closes the one for operators to others does not hold
// for calls to oneself, and the others are no services.
func (d *dialer) allow(at netip.AddrPort) bool {
	return d.targets.allow(at.Addr()) && (!d.isOwnPort(at.Port()) || !isOwn(effective(at.Addr())))
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
	if !d.allow(at) {
		return &forbiddenError{at.Addr().String()}
	}
	return nil
}

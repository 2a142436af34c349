package geerpc

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// maxServer is how many bytes a server may be written in.
const maxServer = 512

// server is PROTOCOL@HOST:PORT taken apart.
type server struct {
	protocol string
	host     string // without brackets; empty for every address of the machine
	port     int    // from 1 to 65535
}

// parseServer reads what a server calls itself. The list is separated by commas
// and travels in a header, so nothing may be in it that would end either; clients
// split an entry at its only @.
func parseServer(text string) (server, error) {
	if len(text) > maxServer {
		return server{}, fmt.Errorf("is longer than %d bytes", maxServer)
	}
	protocol, address, found := strings.Cut(text, "@")
	if !found || !isProtocol(protocol) {
		return server{}, errors.New("does not begin with a protocol, such as tcp@")
	}
	host, portText, err := net.SplitHostPort(address)
	if err != nil {
		return server{}, errors.New("has no HOST:PORT after the @")
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil || port == 0 {
		return server{}, errors.New("has a port that is not a number from 1 to 65535")
	}
	if !isHost(host, strings.HasPrefix(address, "[")) {
		return server{}, errors.New("has a host that is neither a name nor an address")
	}
	return server{protocol, host, int(port)}, nil
}

// isProtocol reports whether text is a word as schemes of URLs are.
func isProtocol(text string) bool {
	return text != "" && consistsOf(text, "+-.")
}

// isHost reports whether host is empty, an address or a name. Only an IPv6
// address may be in brackets, and it has to be.
func isHost(host string, bracketed bool) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Is6() == bracketed && consistsOf(host, ":.%-_")
	}
	return !bracketed && consistsOf(host, "-._")
}

// consistsOf reports whether text is made of letters and digits of ASCII and of
// the marks alone.
func consistsOf(text, marks string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(marks, c) >= 0:
		default:
			return false
		}
	}
	return true
}

// reached is where other machines reach s, which was posted from sender. A server
// that listens on every address of its machine does not know the one that others
// call, nor does one that calls itself by a loopback address: it is the one that
// the POST came from. A name stays, but Eureka has to know an address too, and
// names are not looked up. It reports false when nobody knows an address.
func (s server) reached(sender netip.Addr) (host string, addr netip.Addr, ok bool) {
	sender = sender.Unmap().WithZone("")
	addr, err := netip.ParseAddr(s.host)
	addr = addr.Unmap().WithZone("")
	switch {
	case s.isOwnMachine(addr):
		addr = sender
	case err == nil:
	default:
		return s.host, sender, sender.IsValid()
	}
	return addr.String(), addr, addr.IsValid()
}

// isOwnMachine reports whether the host, addr if it is an address, means the
// machine that the server runs on.
func (s server) isOwnMachine(addr netip.Addr) bool {
	return s.host == "" || strings.EqualFold(s.host, "localhost") || addr.IsUnspecified() || addr.IsLoopback()
}

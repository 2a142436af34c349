// Package address finds addresses of loopback for programs under test to listen
// on.
//
// It is for programs that must be told their address before they start, or that
// come back to it after they were killed. It is not for servers inside the test
// process, which listen on port 0 and know their port from the listener.
package address

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"syscall"
)

// Ports are taken from below the range that the kernel gives to outgoing
// connections (32768 and up by default): while a server is down, nobody takes its
// port, not even the client that calls it in vain and would reach itself.
const (
	lowestPort  = 20000
	highestPort = 32000
)

// Free returns an address, HOST:PORT, that nobody listens on now and that Free gives
// to nobody else, in this process or another, while this process lives. host is an
// IPv4 address of loopback, such as "127.0.0.1". Free may be called concurrently. The
// error is that of the last of 100 attempts.
func Free(host string) (string, error) {
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.Is4() {
		return "", fmt.Errorf("find a free port: %q is no IPv4 address", host)
	}
	for range 100 {
		free := netip.AddrPortFrom(ip, uint16(lowestPort+rand.IntN(highestPort-lowestPort)))
		if err = reserve(free); err == nil {
			return free.String(), nil
		}
	}
	return "", fmt.Errorf("find a free port: %w", err)
}

// reserve binds a socket to the address, which it keeps until the process ends and
// never listens on: calls are refused as if it were not there. A JVM takes seconds to
// listen where it was told to, and a server that was killed comes back later; many
// tests at once would meet on one port in the meantime. Bound without SO_REUSEADDR, it
// shares the address with no other socket. With it from then on, it lets those listen
// that have it too, which all servers have.
func reserve(address netip.AddrPort) error {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: address.Addr().As4(), Port: int(address.Port())}); err != nil {
		_ = syscall.Close(socket) // the first error says more
		return os.NewSyscallError("bind", err)
	}
	return os.NewSyscallError("setsockopt", syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1))
}

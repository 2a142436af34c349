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
	"net"
	"strconv"
)

// Ports are taken from below the range that the kernel gives to outgoing
// connections (32768 and up by default): while a server is down, nobody takes its
// port, not even the client that calls it in vain and would reach itself.
const (
	lowestPort  = 20000
	highestPort = 32000
)

// Free returns an address, HOST:PORT, that nobody listens on now. host is one of
// loopback, such as "127.0.0.1". The error is that of the last of 100 attempts.
func Free(host string) (string, error) {
	var last error
	for range 100 {
		port := strconv.Itoa(lowestPort + rand.IntN(highestPort-lowestPort))
		listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
		if err != nil {
			last = err
			continue
		}
		return listener.Addr().String(), listener.Close()
	}
	return "", fmt.Errorf("find a free port: %w", last)
}

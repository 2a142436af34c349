package devcluster

import (
	"fmt"
	"math/rand/v2"
	"net"
)

type ports struct {
	etcdClient, etcdPeer, apiserver int
}

// Ports are taken from below the range that the kernel gives to outgoing
// connections (32768 and up by default): while the API server is down, no
// connection of another process can take the port that it will want back.
const (
	lowestPort  = 20000
	highestPort = 32000
)

func choosePorts() (ports, error) {
	var chosen [3]int
	for i := range chosen {
		port, err := freePort()
		if err != nil {
			return ports{}, err
		}
		chosen[i] = port
	}
	return ports{etcdClient: chosen[0], etcdPeer: chosen[1], apiserver: chosen[2]}, nil
}

// freePort returns a port of the loopback address that nobody listens on now.
func freePort() (int, error) {
	var last error
	for range 100 {
		port := lowestPort + rand.IntN(highestPort-lowestPort)
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			last = err
			continue
		}
		return port, listener.Close()
	}
	return 0, fmt.Errorf("find a free port: %w", last)
}

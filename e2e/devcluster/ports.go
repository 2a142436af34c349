package devcluster

import (
	"net/netip"

	"github.com/eurekube/eurekube/e2e/address"
)

type ports struct {
	etcdClient, etcdPeer, apiserver int
}

// choosePorts chooses ports of the loopback address that stay the cluster's while the
// API server is down.
func choosePorts() (ports, error) {
	var chosen [3]int
	for i := range chosen {
		free, err := address.Free("127.0.0.1")
		if err != nil {
			return ports{}, err
		}
		parsed, err := netip.ParseAddrPort(free)
		if err != nil {
			return ports{}, err
		}
		chosen[i] = int(parsed.Port())
	}
	return ports{etcdClient: chosen[0], etcdPeer: chosen[1], apiserver: chosen[2]}, nil
}

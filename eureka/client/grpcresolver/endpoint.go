package grpcresolver

import (
	"cmp"
	"net"
	"strconv"
	"strings"

	"google.golang.org/grpc/resolver"

	"github.com/eurekube/eurekube/eureka"
)

// PortKey is the metadata that names the port of gRPC where an instance has another
// one for HTTP. It is the key that grpc-spring's servers register with.
const PortKey = "gRPC_port"

// endpoints are where instances serve gRPC.
func endpoints(instances []*eureka.Instance) []resolver.Endpoint {
	var all []resolver.Endpoint
	for _, inst := range instances {
		host, port := address(inst)
		all = append(all, resolver.Endpoint{Addresses: []resolver.Address{{
			Addr: net.JoinHostPort(host, strconv.Itoa(port)),
			// A certificate is for the host that an instance registers, as with
			// https.
			ServerName: host,
		}}})
	}
	return all
}

// address is a host without brackets and a port: that of the metadata if it is one,
// else the secure one if it is enabled, else the other.
func address(inst *eureka.Instance) (host string, port int) {
	port = inst.Port.Number
	if inst.SecurePort.Enabled {
		port = inst.SecurePort.Number
	}
	if own, err := strconv.ParseUint(inst.Metadata[PortKey], 10, 16); err == nil && own > 0 {
		port = int(own)
	}
	return strings.Trim(cmp.Or(inst.HostName, inst.IPAddr), "[]"), port
}

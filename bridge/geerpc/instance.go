package geerpc

import (
	"math"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// The metadata of an instance that GeeRPC clients see.
const (
	// metadataServer is the entry that has an instance listed: either its protocol,
	// to be put before its address, or the whole of PROTOCOL@HOST:PORT as it was
	// posted. Package convertor writes the former for pods.
	metadataServer = "geerpc"
	// metadataProtocol is for Eureka clients: what a posted server speaks.
	metadataProtocol = "protocol"
)

// Posted reports whether inst is a server that was posted. Such servers cannot say
// that they end, so that many which are overdue at once are an update and no
// outage of the network: their leases end on time (decision 0026).
func Posted(inst *eureka.Instance) bool {
	return strings.Contains(inst.Metadata[metadataServer], "@")
}

// instance is the server text, which is s, as Eureka lists it: an instance of app
// that is called by protocol and place, so that two machines which post the same
// are two. It reports false when nobody knows its address.
func (s server) instance(text, app string, ttl time.Duration, sender netip.Addr) (*eureka.Instance, bool) {
	host, addr, ok := s.reached(sender)
	if !ok {
		return nil, false
	}
	place := net.JoinHostPort(host, strconv.Itoa(s.port))
	if host == addr.String() && addr.Is6() {
		host = "[" + host + "]" // clients build URLs from it
	}
	return &eureka.Instance{
		ID: s.protocol + "@" + place, App: app, HostName: host, IPAddr: addr.String(),
		Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		Port:           eureka.Port{Number: s.port, Enabled: true},
		SecurePort:     eureka.Port{Number: eureka.DefaultSecurePort},
		CountryID:      eureka.DefaultCountryID,
		DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
		Lease:          leaseOf(ttl),
		Metadata:       map[string]string{metadataServer: text, metadataProtocol: s.protocol},
		VIPAddress:     strings.ToLower(app),
	}, true
}

// leaseOf lasts ttl, or as long as the protocol can say when ttl is 0. GeeRPC
// servers post every four minutes of five, and so much of any other ttl is what
// they are expected to let pass.
func leaseOf(ttl time.Duration) eureka.Lease {
	seconds := int(ttl / time.Second)
	if ttl == 0 {
		seconds = math.MaxInt32
	}
	return eureka.Lease{RenewalIntervalInSecs: max(1, seconds/5*4), DurationInSecs: seconds}
}

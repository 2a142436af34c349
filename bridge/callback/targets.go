package callback

import (
	"errors"
	"fmt"
	"net/netip"
)

// Targets are the addresses that may be called. The zero value allows none. It is
// never changed, so any number of goroutines may use it.
type Targets []netip.Prefix

// DefaultTargets are the private ranges, RFC 1918 and fc00::/7: where pods and
// machines of a cluster are. Loopback is not among them, for what listens there
// believes that nobody else can call.
var DefaultTargets = prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")

// never are addresses that are not called whatever the operator allows: those that
// mean no machine or many, and those at which clouds hand out credentials.
var never = prefixes(
	"0.0.0.0/8", "::/128", // this machine, to some kernels
	"169.254.0.0/16", "fe80::/10", // link-local, with the metadata of most clouds
	"224.0.0.0/4", "ff00::/8", "255.255.255.255/32",
	"fd00:ec2::/32",          // of AWS: metadata, and credentials of pods
	"fd20:ce::254/128",       // of Google
	"fd00:c1::a9fe:a9fe/128", // of Oracle
	"fd00:42::42/128",        // of Scaleway
	"fd00:a9fe:a9fe::1/128",  // of Akamai
	"fd00:100::100:200/128",  // of Alibaba
	"100.100.100.200/32",
	"192.0.0.192/32",   // of Oracle, before
	"168.63.129.16/32", // of Azure
	"64:ff9b:1::/48",   // NAT64 of one's own: where the IPv4 address stands in it is nobody's to know
	"2001::/32",        // Teredo, which hides an IPv4 address
	"::ffff:0:0:0/96",  // IPv4 translated, of SIIT
)

// embeddings are ranges of IPv6 in which an address leads to the IPv4 address that
// begins at the given byte of it.
var embeddings = []struct {
	prefix netip.Prefix
	at     int
}{
	{netip.MustParsePrefix("64:ff9b::/96"), 12}, // NAT64, RFC 6052
	{netip.MustParsePrefix("2002::/16"), 2},     // 6to4, RFC 3056
	{netip.MustParsePrefix("::/96"), 12},        // IPv4-compatible, RFC 4291
}

func prefixes(texts ...string) Targets {
	all := make(Targets, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

// ParseTargets reads ranges in CIDR notation, of which there must be one at least.
func ParseTargets(texts []string) (Targets, error) {
	if len(texts) == 0 {
		return nil, errors.New("without a range nothing can be called")
	}
	targets := make(Targets, len(texts))
	for i, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q is no range such as 10.0.0.0/8", text)
		}
		if prefix.Addr().Is4In6() {
			return nil, fmt.Errorf("%q is a range of IPv4: write it so", text)
		}
		targets[i] = prefix.Masked()
	}
	return targets, nil
}

// Strings are the ranges in CIDR notation.
func (t Targets) Strings() []string {
	texts := make([]string, len(t))
	for i, prefix := range t {
		texts[i] = prefix.String()
	}
	return texts
}

// allow reports whether addr may be called.
func (t Targets) allow(addr netip.Addr) bool {
	return !isNeverCalled(addr) && t.contain(effective(addr))
}

// isNeverCalled reports whether addr is not called whatever the operator allows.
func isNeverCalled(addr netip.Addr) bool {
	return !addr.IsValid() || addr.Zone() != "" || never.contain(effective(addr))
}

func (t Targets) contain(addr netip.Addr) bool {
	for _, prefix := range t {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// effective is the address that a packet to addr ends at: forms of IPv6 that carry
// an IPv4 address are that address.
func effective(addr netip.Addr) netip.Addr {
	addr = addr.Unmap()
	if addr == netip.IPv6Unspecified() || addr == netip.IPv6Loopback() {
		return addr
	}
	for _, e := range embeddings {
		if e.prefix.Contains(addr) {
			bytes := addr.As16()
			return netip.AddrFrom4([4]byte(bytes[e.at:]))
		}
	}
	return addr
}

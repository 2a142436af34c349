package callback

import (
	"net/netip"
	"testing"
)

func TestTargets_Allow(t *testing.T) {
	everything := prefixes("0.0.0.0/0", "::/0")
	tests := []struct {
		name    string
		addr    string
		targets Targets
		want    bool
	}{
		{name: "RFC 1918, 10", addr: "10.0.0.1", targets: DefaultTargets, want: true},
		{name: "RFC 1918, 172", addr: "172.31.255.254", targets: DefaultTargets, want: true},
		{name: "beside RFC 1918", addr: "172.32.0.1", targets: DefaultTargets},
		{name: "RFC 1918, 192", addr: "192.168.7.7", targets: DefaultTargets, want: true},
		{name: "unique local", addr: "fd12::1", targets: DefaultTargets, want: true},
		{name: "loopback", addr: "127.0.0.1", targets: DefaultTargets},
		{name: "loopback of IPv6", addr: "::1", targets: DefaultTargets},
		{name: "public", addr: "93.184.216.34", targets: DefaultTargets},
		{name: "public of IPv6", addr: "2600::1", targets: DefaultTargets},
		{name: "mapped", addr: "::ffff:10.0.0.1", targets: DefaultTargets, want: true},
		{name: "mapped loopback", addr: "::ffff:127.0.0.1", targets: DefaultTargets},
		{name: "loopback if allowed", addr: "127.8.9.1", targets: prefixes("127.0.0.0/8"), want: true},
		{name: "nothing is allowed by nothing", addr: "10.0.0.1"},
		{name: "public if allowed", addr: "93.184.216.34", targets: everything, want: true},
		{name: "metadata", addr: "169.254.169.254", targets: everything},
		{name: "metadata, mapped", addr: "::ffff:169.254.169.254", targets: everything},
		{name: "metadata, NAT64", addr: "64:ff9b::a9fe:a9fe", targets: everything},
		{name: "metadata, 6to4", addr: "2002:a9fe:a9fe::1", targets: everything},
		{name: "metadata, IPv4-compatible", addr: "::169.254.169.254", targets: everything},
		{name: "metadata, translated", addr: "::ffff:0:169.254.169.254", targets: everything},
		{name: "a private address, NAT64", addr: "64:ff9b::a00:1", targets: DefaultTargets, want: true},
		{name: "a public address, NAT64", addr: "64:ff9b::5db8:d822", targets: DefaultTargets},
		{name: "NAT64 of one's own", addr: "64:ff9b:1::a9fe:a9fe", targets: everything},
		{name: "Teredo", addr: "2001:0:a9fe:a9fe::1", targets: everything},
		{name: "metadata of AWS in IPv6", addr: "fd00:ec2::254", targets: everything},
		{name: "metadata of AWS in IPv6, by default", addr: "fd00:ec2::254", targets: DefaultTargets},
		{name: "credentials of pods of AWS in IPv6", addr: "fd00:ec2::23", targets: everything},
		{name: "metadata of Oracle in IPv6", addr: "fd00:c1::a9fe:a9fe", targets: everything},
		{name: "metadata of Scaleway in IPv6", addr: "fd00:42::42", targets: everything},
		{name: "metadata of Akamai in IPv6", addr: "fd00:a9fe:a9fe::1", targets: DefaultTargets},
		{name: "metadata of Alibaba in IPv6", addr: "fd00:100::100:200", targets: DefaultTargets},
		{name: "beside the metadata of Scaleway in IPv6", addr: "fd00:42::43", targets: DefaultTargets, want: true},
		{name: "metadata of Google in IPv6", addr: "fd20:ce::254", targets: DefaultTargets},
		{name: "metadata of Alibaba", addr: "100.100.100.200", targets: everything},
		{name: "metadata of Oracle", addr: "192.0.0.192", targets: everything},
		{name: "metadata of Azure", addr: "168.63.129.16", targets: everything},
		{name: "link-local", addr: "fe80::1", targets: everything},
		{name: "link-local with a zone", addr: "fe80::1%eth0", targets: everything},
		{name: "zone", addr: "fd12::1%eth0", targets: everything},
		{name: "unspecified", addr: "0.0.0.0", targets: everything},
		{name: "this network", addr: "0.1.2.3", targets: everything},
		{name: "unspecified of IPv6", addr: "::", targets: everything},
		{name: "unspecified, mapped", addr: "::ffff:0.0.0.0", targets: everything},
		{name: "multicast", addr: "224.0.0.251", targets: everything},
		{name: "multicast of IPv6", addr: "ff02::1", targets: everything},
		{name: "broadcast", addr: "255.255.255.255", targets: everything},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.targets.allow(netip.MustParseAddr(tt.addr)); got != tt.want {
				t.Errorf("allow(%s) = %v, want %v", tt.addr, got, tt.want)
			}
		})
	}
	if everything.allow(netip.Addr{}) {
		t.Error("no address is allowed")
	}
}

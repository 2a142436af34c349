package convertor

import (
	"net/netip"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// firstAddress is what Kubernetes calls the pod's address, empty if it has
// none.
func firstAddress(pod *corev1.Pod) string {
	if ip := strings.TrimSpace(pod.Status.PodIP); ip != "" {
		return ip
	}
	for _, p := range pod.Status.PodIPs {
		if ip := strings.TrimSpace(p.IP); ip != "" {
			return ip
		}
	}
	return ""
}

// address is the pod's address of the wanted family, or its first one with a
// warning. The result is an IP in canonical form without brackets, unless the
// pod's own address is no IP: a manifest may name a machine there.
func (c *conversion) address(family IPFamily) string {
	first := firstAddress(c.pod)
	ip, err := netip.ParseAddr(first)
	if family.accepts(ip) {
		return canonical(ip)
	}
	for _, p := range c.pod.Status.PodIPs {
		if other, err := netip.ParseAddr(strings.TrimSpace(p.IP)); err == nil && family.accepts(other) {
			return canonical(other)
		}
	}
	if family == IPFamilyIPv4 || family == IPFamilyIPv6 {
		c.warnings.add(WarningNoAddressOfFamily, "the pod has no address of family %s; using %s", family, clipped(first))
	}
	if err != nil {
		return first
	}
	return canonical(ip)
}

// accepts reports whether ip is of the family; the zero address is of none.
func (f IPFamily) accepts(ip netip.Addr) bool {
	switch f {
	case IPFamilyIPv4:
		return ip.Unmap().Is4()
	case IPFamilyIPv6:
		return ip.Unmap().Is6()
	}
	return false
}

func canonical(ip netip.Addr) string { return ip.Unmap().WithZone("").String() }

// urlHost is ip as a URL needs it: an IPv6 address in brackets.
func urlHost(ip netip.Addr) string {
	if ip.Unmap().Is6() {
		return "[" + canonical(ip) + "]"
	}
	return canonical(ip)
}

// host is what clients call: the advertised host, for callers that cannot
// reach pods or must go through a mesh (field cases 71 and 85), or else the
// address.
func (c *conversion) host(address string) string {
	host := address
	if ip, err := netip.ParseAddr(address); err == nil {
		host = urlHost(ip)
	}
	advertised := c.labels.annotation(NameAdvertiseHost)
	if advertised == "" {
		return host
	}
	if ip, err := netip.ParseAddr(strings.Trim(advertised, "[]")); err == nil {
		return urlHost(ip)
	}
	if IsHostName(strings.TrimSuffix(advertised, ".")) {
		return advertised
	}
	c.warnings.add(WarningBadAdvertiseHost, "annotation %s: %s is neither a host name nor an IP; using %s",
		c.labels.key(NameAdvertiseHost), clipped(advertised), host)
	return host
}

// IsHostName reports whether a URL can carry name, which is no IP, as its host, in
// any case. Java's URI class finds no host in a name with an underscore. A name
// whose last label is a number, such as 999.1.1.1, is an IPv4 address to clients
// (WHATWG URL standard, "ends in a number"), and none that can be called.
func IsHostName(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return strings.Trim(last, "0123456789") != "" && len(validation.IsDNS1123Subdomain(strings.ToLower(name))) == 0
}

package registry

import (
	"net/netip"
	"slices"
	"strings"
)

// isCalled reports whether host, in lower case, is the pod c: one of its
// addresses, its name, one of the names that the cluster's DNS has for either, or
// what its annotation has clients call. Java asks DNS for the name of its own
// address, so an application in a StatefulSet registers as
// pod.subdomain.namespace.svc.cluster.local and one behind a headless Service as
// 10-0-0-5.service.namespace.svc.cluster.local.
func (c *claim) isCalled(host string) bool {
	if c.hasHost(host) || host == strings.ToLower(c.Instance.HostName) {
		return true
	}
	first, rest, _ := strings.Cut(strings.TrimSuffix(host, "."), ".")
	namespace, _, _ := strings.Cut(c.by.key, "/")
	address, dashed := undashed(first)
	if dashed && c.hasHost(address) {
		return isInDomain(rest, namespace+".pod") || isOfService(rest, namespace)
	}
	return c.hasHost(first) && (rest == "" || isOfService(rest, namespace))
}

// hasHost reports whether host is an address or the name of the pod.
func (c *claim) hasHost(host string) bool {
	return slices.ContainsFunc(c.Endpoints, func(at Endpoint) bool { return at.Host == host })
}

// isOfService reports whether domain is that of some Service of the namespace, as
// much of it as a pod's resolver needs.
func isOfService(domain, namespace string) bool {
	service, rest, _ := strings.Cut(domain, ".")
	return service != "" && (rest == "" || rest == namespace || isInDomain(rest, namespace+".svc"))
}

// isInDomain reports whether domain is start, in whatever domain the cluster has.
func isInDomain(domain, start string) bool {
	return domain == start || strings.HasPrefix(domain, start+".")
}

// undashed is the address that the cluster's DNS writes with dashes.
func undashed(label string) (string, bool) {
	for _, mark := range []string{".", ":"} {
		if addr, err := netip.ParseAddr(strings.ReplaceAll(label, "-", mark)); err == nil {
			return addr.String(), true
		}
	}
	return "", false
}

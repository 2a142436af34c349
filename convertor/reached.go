package convertor

import (
	"net/netip"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Endpoint is where a process listens: a host, by address or by name, and a TCP
// port from 1 to 65535.
type Endpoint struct {
	Host string
	Port int
}

// Endpoints are where the process of pod is reached inside the cluster: each of
// its addresses, and its name, which is the host name that the process sees and
// may register itself by. The port is the one that it listens on, never an
// advertised one. Addresses are canonical, IPv6 without brackets. The result is
// empty when Convert describes no instance for want of a port or an address. Any
// number of goroutines may call it at once, also with the same pod.
func Endpoints(pod *corev1.Pod, rules Rules) []Endpoint {
	c := conversion{pod: pod, labels: labelsUnder(pod, rules.Prefixes)}
	port, ok := c.servicePort(portsOf(pod))
	if !ok || !hasProcess(pod) {
		return nil
	}
	var endpoints []Endpoint
	seen := map[string]bool{}
	for _, host := range append(addressesOf(pod), pod.Name) {
		if host != "" && !seen[host] {
			seen[host] = true
			endpoints = append(endpoints, Endpoint{host, int(port.ContainerPort)})
		}
	}
	return endpoints
}

// addressesOf are all addresses of pod, Kubernetes' first one first.
func addressesOf(pod *corev1.Pod) []string {
	addresses := []string{plainHost(pod.Status.PodIP)}
	for _, p := range pod.Status.PodIPs {
		addresses = append(addresses, plainHost(p.IP))
	}
	return addresses
}

// plainHost is the canonical form of an IP, and anything else as it is: a
// manifest may name a machine.
func plainHost(address string) string {
	address = strings.TrimSpace(address)
	if ip, err := netip.ParseAddr(address); err == nil {
		return canonical(ip)
	}
	return address
}

package lease

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// admit decides whether inst may be registered from remote.
func (s *Store) admit(inst *eureka.Instance, remote netip.Addr, replica bool) error {
	claimed := s.config.ClaimNames && s.config.Registry.HasPods(inst.App)
	if s.config.Mode != ModePodsOnly && !claimed {
		return nil
	}
	if host := s.foreignHost(inst); host != "" {
		why := "only applications of pods register here"
		if claimed {
			why = "the name belongs to pods"
		}
		return &ForbiddenError{fmt.Sprintf("%s: %s is not the address of a pod of %s", why, host, inst.App)}
	}
	// A peer speaks for others, so where it calls from says nothing.
	if from := remote.Unmap().WithZone(""); claimed && remote.IsValid() && !replica && !s.config.Registry.PodHasHost(inst.App, from.String()) {
		return &ForbiddenError{fmt.Sprintf("the name belongs to pods: the request came from %s, which is not the address of a pod of %s", from, inst.App)}
	}
	return nil
}

// foreignHost is a host by which clients may call inst and that is not one of
// its app's pods, empty when there is none. Both must be a pod's: clients choose
// between them.
func (s *Store) foreignHost(inst *eureka.Instance) string {
	for _, host := range hosts(inst) {
		if !s.config.Registry.PodHasHost(inst.App, host) {
			return host
		}
	}
	return ""
}

// hosts are the address and the host name of inst, as pods' are spelled.
func hosts(inst *eureka.Instance) [2]string {
	return [2]string{canonicalHost(inst.IPAddr), canonicalHost(inst.HostName)}
}

// canonicalHost spells a host as Kubernetes does: Java writes IPv6 addresses in
// full and with the name of the interface.
func canonicalHost(host string) string {
	bare := strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if addr, err := netip.ParseAddr(bare); err == nil {
		return addr.Unmap().WithZone("").String()
	}
	return strings.ToLower(host)
}

// endpoints are where inst is reached: by address or by name, on each port that
// is in use.
func endpoints(inst *eureka.Instance) []registry.Endpoint {
	hosts := hosts(inst)
	both := make([]registry.Endpoint, 0, 4)
	for _, port := range []eureka.Port{inst.Port, inst.SecurePort} {
		if !port.Enabled {
			continue
		}
		both = append(both, registry.Endpoint{Host: hosts[0], Port: port.Number})
		if hosts[1] != hosts[0] {
			both = append(both, registry.Endpoint{Host: hosts[1], Port: port.Number})
		}
	}
	return both
}

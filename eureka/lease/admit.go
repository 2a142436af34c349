package lease

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// admit decides whether inst may be registered from remote. A peer that is known
// speaks for others, so where it calls from says nothing.
func (s *Store) admit(inst *eureka.Instance, remote netip.Addr, peer bool) error {
	hosts := hosts(inst)
	if err := s.judge(inst, hosts[0], hosts[1]); err != nil {
		return err
	}
	if peer || !remote.IsValid() {
		return nil
	}
	return s.judge(inst, spelled(remote), "")
}

// judge refuses inst unless address and host are those of a pod that inst may
// be; without a host, address is where the request came from.
func (s *Store) judge(inst *eureka.Instance, address, host string) error {
	app := registry.AppName(inst.App)
	if s.config.Mode == ModePodsOnly && !s.config.Registry.PodHolds(app, address, host) {
		return s.forbidden("only applications of pods register here", app, address, host)
	}
	if !s.config.ClaimNames {
		return nil
	}
	if name, trespass := s.config.Registry.Trespass(registry.NamesOf(inst), address, host); trespass {
		return s.forbidden("the name belongs to pods", name, address, host)
	}
	return nil
}

// foreign is a name of inst that belongs to pods which inst is not reached at.
// While names are free there is none.
func (s *Store) foreign(inst *eureka.Instance) (registry.Name, bool) {
	if !s.config.ClaimNames {
		return registry.Name{}, false
	}
	hosts := hosts(inst)
	return s.config.Registry.Trespass(registry.NamesOf(inst), hosts[0], hosts[1])
}

// forbidden says which of the two hosts is not of a pod with the name.
func (s *Store) forbidden(why string, name registry.Name, address, host string) error {
	switch {
	case host == "":
		return &ForbiddenError{fmt.Sprintf("%s: the request came from %s, which is not the address of a pod with %s", why, address, name)}
	case s.config.Registry.PodHolds(name, address, ""):
		return &ForbiddenError{fmt.Sprintf("%s: the pod with %s at %s is not called %s", why, name, address, host)}
	}
	return &ForbiddenError{fmt.Sprintf("%s: %s is not the address of a pod with %s", why, address, name)}
}

// MayWrite reports whether sender may cancel, override or annotate the instance
// that app, in any case, and id name. Where names belong to pods, an instance of
// an app that has pods is changed only by those pods and by whom the caller has
// authorized; the error is then a *ForbiddenError. What nobody knows may be
// written: the write is answered by ErrNotFound. Heartbeats need no permission,
// for those of a pod change nothing.
func (s *Store) MayWrite(app, id string, sender netip.Addr, authorized bool) error {
	if !s.config.ClaimNames || authorized {
		return nil
	}
	k := keyOf(app, id)
	if _, known := s.config.Registry.Lookup(k.app, k.id); !known {
		return nil
	}
	if _, trespass := s.config.Registry.Trespass([]registry.Name{registry.AppName(k.app)}, spelled(sender), ""); trespass {
		return s.forbidden("the name belongs to pods", registry.AppName(k.app), spelled(sender), "")
	}
	return nil
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
		return spelled(addr)
	}
	return strings.ToLower(host)
}

// spelled is addr as pods' addresses are.
func spelled(addr netip.Addr) string { return addr.Unmap().WithZone("").String() }

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

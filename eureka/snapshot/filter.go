package snapshot

import (
	"slices"

	"github.com/eurekube/eurekube/eureka"
)

// Filter narrows a list to the instances of some applications, to those that have
// one of some VIPs, or to those for which both hold. The zero value narrows
// nothing.
type Filter struct {
	// Apps are names in upper case; none is all.
	Apps []string
	// VIPs are compared exactly with the first 64 names of an instance's
	// vipAddress, as in GET vips/{vip}; none is all.
	VIPs []string
}

// All reports whether f narrows nothing.
func (f *Filter) All() bool { return len(f.Apps) == 0 && len(f.VIPs) == 0 }

// Has reports whether f lets inst through, which may be nil: then it does not.
func (f *Filter) Has(inst *eureka.Instance) bool {
	switch {
	case inst == nil:
		return false
	case len(f.Apps) > 0 && !slices.Contains(f.Apps, inst.App):
		return false
	case len(f.VIPs) == 0:
		return true
	}
	for name := range vipNames(inst.VIPAddress) {
		if slices.Contains(f.VIPs, name) {
			return true
		}
	}
	return false
}

// Listed is what s lists of f, with the version of s and the hash over what is
// in it. The instances are shared: they must not be edited.
func (s *Snapshot) Listed(f *Filter) *eureka.Applications {
	answer := &eureka.Applications{VersionsDelta: s.version}
	for _, a := range s.candidates(f) {
		match := eureka.Application{Name: a.Name}
		for _, inst := range a.Instances {
			if f.Has(inst) {
				match.Instances = append(match.Instances, inst)
			}
		}
		if len(match.Instances) > 0 {
			answer.Applications = append(answer.Applications, match)
		}
	}
	answer.AppsHashCode = eureka.HashCode(answer.Applications)
	return answer
}

// candidates are the applications that may have instances of f, each once.
func (s *Snapshot) candidates(f *Filter) []*listed {
	var found []*listed
	seen := make(map[*listed]bool)
	add := func(a *listed) {
		if a != nil && !seen[a] {
			seen[a] = true
			found = append(found, a)
		}
	}
	switch {
	case len(f.Apps) > 0:
		for _, name := range f.Apps {
			add(s.full.find(name))
		}
	case len(f.VIPs) > 0:
		index := s.vipIndex(false)
		for _, name := range f.VIPs {
			for _, a := range index[name] {
				add(a)
			}
		}
	default:
		s.full.each(add)
	}
	return found
}

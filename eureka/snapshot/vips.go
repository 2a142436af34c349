package snapshot

import (
	"iter"
	"slices"
	"strings"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// maxVIPNames is how many names of one VIP address count, the first ones: people
// write one or two, and each takes memory in the index of all.
const maxVIPNames = 64

// vipVersion is the versions__delta of answers to VIP queries: none (protocol
// section 3.12).
const vipVersion = -1

// vips are the distinct VIP names of an application.
type vips struct {
	names [2][]string // plain and secure
	alike bool        // each instance has the same plain and secure names
}

// VIP is the answer of GET vips/{name}, or svips/{name} if secure is set, in
// form f, as a gzip member if zip is set. The name is compared exactly (protocol
// section 5.18) with the first 64 names of each instance; nobody having it is an
// empty list.
func (s *Snapshot) VIP(name string, secure bool, f codec.Form, zip bool) Body {
	apps := s.vipIndex(secure)[name]
	if len(apps) == 0 {
		name = "" // strangers choose it: nobody's names have one answer, kept once
	}
	key := documentKey{ofVIP, name, f, zip}
	if secure && !s.sameAsPlain(name, apps) {
		key.kind = ofSecureVIP
	}
	return s.documents.get(key, func() Body {
		match := matching(name, secure, apps)
		return newDocument(zip, func(b []byte) []byte { return f.AppendApplications(b, match) })
	})
}

// sameAsPlain reports whether the plain name finds the instances that the secure
// one does, in secured.
func (s *Snapshot) sameAsPlain(name string, secured []*listed) bool {
	return slices.Equal(s.vipIndex(false)[name], secured) &&
		!slices.ContainsFunc(secured, func(a *listed) bool { return !a.vips.get(a.findVIPs).alike })
}

// vipIndex finds the applications by the names that their instances have.
func (s *Snapshot) vipIndex(secure bool) map[string][]*listed {
	i := index(secure)
	return s.byVIP[i].get(func() map[string][]*listed {
		byName := make(map[string][]*listed)
		s.full.each(func(a *listed) {
			for _, name := range a.vips.get(a.findVIPs).names[i] {
				byName[name] = append(byName[name], a)
			}
		})
		return byName
	})
}

func (a *listed) findVIPs() vips {
	return vips{
		names: [2][]string{distinctVIPs(a.Instances, false), distinctVIPs(a.Instances, true)},
		alike: !slices.ContainsFunc(a.Instances, func(inst *eureka.Instance) bool {
			return inst.VIPAddress != inst.SecureVIPAddress
		}),
	}
}

func distinctVIPs(instances []*eureka.Instance, secure bool) []string {
	var names []string
	seen := make(map[string]bool)
	last := ""
	for _, inst := range instances {
		address := vipOf(inst, secure)
		if address == last {
			continue // the instances of an application have one address as a rule
		}
		last = address
		for name := range vipNames(address) {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

func vipOf(inst *eureka.Instance, secure bool) string {
	if secure {
		return inst.SecureVIPAddress
	}
	return inst.VIPAddress
}

// vipNames are the names of a VIP address that count.
func vipNames(address string) iter.Seq[string] {
	return func(yield func(string) bool) {
		n := 0
		for name := range strings.SplitSeq(address, ",") {
			if name == "" {
				continue
			}
			if n++; n > maxVIPNames || !yield(name) {
				return
			}
		}
	}
}

func hasVIP(address, name string) bool {
	for n := range vipNames(address) {
		if n == name {
			return true
		}
	}
	return false
}

// matching are those instances of apps that have the name.
func matching(name string, secure bool, apps []*listed) *eureka.Applications {
	answer := &eureka.Applications{VersionsDelta: vipVersion}
	for _, a := range apps {
		match := eureka.Application{Name: a.Name}
		for _, inst := range a.Instances {
			if hasVIP(vipOf(inst, secure), name) {
				match.Instances = append(match.Instances, inst)
			}
		}
		answer.Applications = append(answer.Applications, match)
	}
	answer.AppsHashCode = eureka.HashCode(answer.Applications)
	return answer
}

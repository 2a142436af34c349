package snapshot

import (
	"slices"
	"strings"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// vipVersion is the versions__delta of answers to VIP queries: none (protocol
// section 3.12).
const vipVersion = -1

// vips are the distinct VIP names of an application, plain and secure.
type vips [2][]string

// vipKey names an answer to a VIP query.
type vipKey struct {
	name   string
	secure bool
	form   codec.Form
	zip    bool
}

// VIP is the answer of GET vips/{name}, or svips/{name} if secure is set, in
// form f, as a gzip member if zip is set. The name is compared exactly (protocol
// section 5.18); nobody having it is an empty list.
func (s *Snapshot) VIP(name string, secure bool, f codec.Form, zip bool) Body {
	apps := s.vipIndex(secure)[name]
	encode := func() Body { return encodeVIP(name, secure, apps, f, zip) }
	if len(apps) == 0 {
		return encode() // strangers choose the name: nothing is kept for it
	}
	doc, _ := s.vipDocs.LoadOrStore(vipKey{name, secure, f, zip}, new(once[Body]))
	return doc.(*once[Body]).get(encode)
}

// vipIndex finds the applications by the names that their instances have.
func (s *Snapshot) vipIndex(secure bool) map[string][]*listed {
	i := index(secure)
	return s.byVIP[i].get(func() map[string][]*listed {
		byName := make(map[string][]*listed)
		s.full.each(func(a *listed) {
			for _, name := range a.vips.get(a.vipNames)[i] {
				byName[name] = append(byName[name], a)
			}
		})
		return byName
	})
}

func (a *listed) vipNames() vips {
	var v vips
	for i := range v {
		for _, inst := range a.Instances {
			for name := range strings.SplitSeq(vipOf(inst, i == 1), ",") {
				if name != "" && !slices.Contains(v[i], name) {
					v[i] = append(v[i], name)
				}
			}
		}
	}
	return v
}

func vipOf(inst *eureka.Instance, secure bool) string {
	if secure {
		return inst.SecureVIPAddress
	}
	return inst.VIPAddress
}

// encodeVIP encodes those instances of apps that have the name.
func encodeVIP(name string, secure bool, apps []*listed, f codec.Form, zip bool) Body {
	answer := eureka.Applications{VersionsDelta: vipVersion}
	for _, a := range apps {
		match := eureka.Application{Name: a.Name}
		for _, inst := range a.Instances {
			if slices.Contains(strings.Split(vipOf(inst, secure), ","), name) {
				match.Instances = append(match.Instances, inst)
			}
		}
		answer.Applications = append(answer.Applications, match)
	}
	answer.AppsHashCode = eureka.HashCode(answer.Applications)
	text := f.AppendApplications(nil, &answer)
	if !zip {
		return newBody([][]byte{text})
	}
	return newBody(gzipParts([]deflated{deflate(text), stored(nil, true)}))
}

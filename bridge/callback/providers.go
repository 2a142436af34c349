package callback

import (
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// providers is where an application that somebody requires is reached. The bridge's
// mu guards it.
type providers struct {
	urls       []string // sorted, each once; never changed, only replaced
	version    int64    // in which the snapshot's application changed last
	dependents map[*service]struct{}
	// seen are the instances at that version, sorted by id, and urlOf for each:
	// most stay from one version to the next, and there may be ten thousand.
	seen   []*eureka.Instance
	urlsOf []string
}

// look is urlOf for each of instances.
func (p *providers) look(instances []*eureka.Instance) {
	urls := make([]string, len(instances))
	seen := 0
	for i, inst := range instances {
		for seen < len(p.seen) && p.seen[seen].ID < inst.ID {
			seen++
		}
		if seen < len(p.seen) && p.seen[seen] == inst {
			urls[i] = p.urlsOf[seen]
		} else {
			urls[i] = urlOf(inst)
		}
	}
	p.seen, p.urlsOf = instances, urls
}

// urlOf is where an instance takes traffic: the ServiceURL as it was written, or for
// anything else its address; empty if it takes none, or has no address. A ServiceURL may have come over the Eureka API too, so it is
// judged like any other.
func urlOf(inst *eureka.Instance) string {
	if inst.Status != eureka.StatusUp {
		return ""
	}
	if url := inst.Metadata[serviceURLKey]; url != "" {
		if _, err := parseEndpoint(url); err == nil {
			return url
		}
	}
	host := inst.IPAddr
	if inst.Metadata["pod"] != "" {
		host = inst.HostName // of a pod that is its address, or the host that it advertises
	}
	host = strings.Trim(host, "[]")
	switch {
	case host == "":
		return ""
	case inst.Port.Enabled:
		return "http://" + net.JoinHostPort(host, strconv.Itoa(inst.Port.Number))
	case inst.SecurePort.Enabled:
		return "https://" + net.JoinHostPort(host, strconv.Itoa(inst.SecurePort.Number))
	}
	return ""
}

// refresh takes over where app is reached by snap, and reports whether that changed.
func (p *providers) refresh(snap *snapshot.Snapshot, app string) (changed bool) {
	instances, version := snap.Instances(app)
	if version == p.version {
		return false
	}
	p.version = version
	p.look(instances)
	urls := slices.Clone(p.urlsOf)
	slices.Sort(urls)
	urls = slices.Compact(urls)
	if len(urls) > 0 && urls[0] == "" {
		urls = urls[1:]
	}
	if slices.Equal(urls, p.urls) {
		return false
	}
	p.urls = urls
	return true
}

// require has svc woken by changes of the names that it requires. The caller holds
// mu.
func (b *Bridge) require(svc *service) {
	if len(svc.required) > 0 {
		b.tellable++
	}
	b.names += len(svc.required)
	for _, name := range svc.required {
		app := strings.ToUpper(name)
		p := b.required[app]
		if p == nil {
			p = &providers{dependents: make(map[*service]struct{})}
			p.refresh(b.config.Snapshot(), app)
			b.required[app] = p
		}
		p.dependents[svc] = struct{}{}
	}
}

// release undoes require.
func (b *Bridge) release(svc *service) {
	if len(svc.required) > 0 {
		b.tellable--
	}
	b.names -= len(svc.required)
	for _, name := range svc.required {
		app := strings.ToUpper(name)
		if p := b.required[app]; p != nil {
			delete(p.dependents, svc)
			if len(p.dependents) == 0 {
				delete(b.required, app)
			}
		}
	}
}

package geerpc

import (
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// list is the servers of one version of the registry, put together once for all
// who ask. Versions share the applications that did not change, so that a change
// costs what the application has in which it is.
type list struct {
	mu      sync.Mutex // guards all below, and lets one goroutine put a list together
	known   bool
	version int64
	byApp   map[*eureka.Application][]string // of every application of the version
	servers string
}

// of is the list of s: sorted, separated by commas, each server once.
func (l *list) of(s *snapshot.Snapshot) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.known || l.version != s.Version() {
		l.read(s)
		l.known, l.version = true, s.Version()
	}
	return l.servers
}

// read makes l the list of s.
func (l *list) read(s *snapshot.Snapshot) {
	before, after := 0, 0 // entries
	for _, texts := range l.byApp {
		before += len(texts)
	}
	byApp, changed := make(map[*eureka.Application][]string, len(l.byApp)), false
	s.Each(func(app *eureka.Application) {
		texts, same := l.byApp[app]
		if !same {
			texts = ofApplication(app)
			changed = changed || len(texts) > 0
		}
		byApp[app] = texts
		after += len(texts)
	})
	l.byApp = byApp
	if changed || before != after {
		l.servers = join(byApp, after)
	}
}

func join(byApp map[*eureka.Application][]string, entries int) string {
	all := make([]string, 0, entries)
	for _, texts := range byApp {
		all = append(all, texts...)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ",")
}

// ofApplication are the instances of app that GeeRPC clients see.
func ofApplication(app *eureka.Application) (texts []string) {
	for _, inst := range app.Instances {
		if text, ok := listed(inst); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// listed is how GeeRPC clients see inst, if they do: only what is UP, for they
// know no statuses.
func listed(inst *eureka.Instance) (text string, ok bool) {
	said := inst.Metadata[metadataServer]
	if said == "" || inst.Status != eureka.StatusUp {
		return "", false
	}
	if !Posted(inst) {
		said += "@" + place(inst)
	}
	_, err := parseServer(said) // anybody may have written the metadata
	return said, err == nil
}

// place is the address that clients of inst call.
func place(inst *eureka.Instance) string {
	port := inst.Port
	if !port.Enabled {
		port = inst.SecurePort
	}
	host := strings.TrimSuffix(strings.TrimPrefix(inst.HostName, "["), "]")
	return net.JoinHostPort(host, strconv.Itoa(port.Number))
}

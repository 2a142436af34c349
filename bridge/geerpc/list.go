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
// who ask.
type list struct {
	mu      sync.Mutex // guards all below, and lets one goroutine put a list together
	known   bool
	version int64
	servers string
}

// of is the list of s: sorted, separated by commas, each server once.
func (l *list) of(s *snapshot.Snapshot) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.known || l.version != s.Version() {
		l.known, l.version, l.servers = true, s.Version(), servers(s)
	}
	return l.servers
}

func servers(s *snapshot.Snapshot) string {
	var all []string
	s.Each(func(app *eureka.Application) {
		for _, inst := range app.Instances {
			if text, ok := listed(inst); ok {
				all = append(all, text)
			}
		}
	})
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ",")
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

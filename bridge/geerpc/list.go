package geerpc

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// How long the list may be, in bytes, for it travels in one header. Go programs,
// which GeeRPC's are, take 10 MiB of headers and give an answer up that has more. Posts
// leave room for what other ways may list, such as pods, so that a stranger who posts
// does not take the list from those who read it (decision 0032).
const (
	maxList   = 8 << 20
	maxPosted = 6 << 20 // beyond which none is taken in
)

// tooLongError says that no client could read the list.
type tooLongError struct{ servers, bytes int }

func (e *tooLongError) Error() string {
	return fmt.Sprintf("the list of %d servers has %d bytes, and clients read no more than %d in a header", e.servers, e.bytes, maxList)
}

// list is the servers of one version of the registry, put together once for all
// who ask. Versions share the applications that did not change, so that a change
// costs what the application has in which it is.
type list struct {
	mu      sync.Mutex // guards all below, and lets one goroutine put a list together
	known   bool
	version int64
	byApp   map[*eureka.Application][]string // of every application of the version
	servers string
	err     error // in place of servers
}

// of is the list of s: sorted, separated by commas, each server once. It is a
// *tooLongError if nobody could read it.
func (l *list) of(s *snapshot.Snapshot) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.known || l.version != s.Version() {
		l.read(s)
		l.known, l.version = true, s.Version()
	}
	return l.servers, l.err
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
		l.servers, l.err = join(byApp, after)
	}
}

func join(byApp map[*eureka.Application][]string, entries int) (string, error) {
	all := make([]string, 0, entries)
	for _, texts := range byApp {
		all = append(all, texts...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	bytes := len(all) // of commas, with one too many
	for _, text := range all {
		bytes += len(text)
	}
	if bytes > maxList {
		return "", &tooLongError{len(all), bytes}
	}
	return strings.Join(all, ","), nil
}

// isFull reports whether the list has no room for another server.
func (l *list) isFull(s *snapshot.Snapshot) bool {
	if s == nil {
		return false
	}
	servers, err := l.of(s)
	return err != nil || len(servers) > maxPosted
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

package differential

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// request is one step of a sequence. Path, headers and body hold placeholders:
//
//	«n»        the play: the name of an application is another one in each
//	«0» … «9»  an instance: its id and host name are others in each play, and
//	           after its state has come to differ as it is meant to
//
// so that what was played before is not in the way.
type request struct {
	name         string // what it tries; allowances refer to it
	method, path string
	headers      []string // "Name: value"
	body         string
	touches      []instance // read after it
}

// instance names one by application and by id, percent-encoded, or all of an
// application.
type instance struct{ app, id string }

func (i instance) path() string {
	if i.id == "" {
		return "/eureka/apps/" + i.app
	}
	return "/eureka/apps/" + i.app + "/" + i.id
}

// String is the request as it is sent, but for Host and Content-Length, and with
// what is no text escaped.
func (r request) String() string {
	text := r.method + " " + r.path
	for _, header := range r.headers {
		text += "\n    " + header
	}
	if r.body != "" {
		text += fmt.Sprintf("\n    %.2000q", r.body)
	}
	return text
}

// isReplica reports whether a peer passes the request on: its effect is then not
// waited for.
func (r request) isReplica() bool {
	for _, header := range r.headers {
		if header == replica {
			return true
		}
	}
	return strings.Contains(r.path, "peerreplication")
}

func (r request) isWrite() bool {
	return r.method == "POST" || r.method == "PUT" || r.method == "DELETE"
}

const (
	// replica marks what a peer passes on.
	replica = "x-netflix-discovery-replication: true"
	// gzipped says that the body is sent compressed.
	gzipped = "Content-Encoding: gzip"
)

var placeholder = regexp.MustCompile(`«(n|\d)»`)

// names give placeholders their values in one play.
type names struct {
	play  int
	lives [10]int    // of each instance
	odd   []instance // that only one of the two came to list, by ids of strangers
}

func newNames(play int) *names {
	return &names{play: play}
}

// expand returns the request as it is sent. Values are letters and digits, which
// no part of a request has to escape.
func (n *names) expand(r request) request {
	r.path = n.text(r.path)
	r.body = n.text(r.body)
	headers := make([]string, len(r.headers))
	for i, header := range r.headers {
		headers[i] = n.text(header)
	}
	r.headers = headers
	touches := make([]instance, len(r.touches))
	for i, touched := range r.touches {
		touches[i] = instance{n.text(touched.app), n.text(touched.id)}
	}
	r.touches = touches
	return r
}

func (n *names) text(template string) string {
	return placeholder.ReplaceAllStringFunc(template, func(match string) string {
		name := strings.Trim(match, "«»")
		if name == "n" {
			return fmt.Sprintf("x%dx", n.play)
		}
		i, _ := strconv.Atoi(name)
		return fmt.Sprintf("s%dx%dxr%d", i, n.play, n.lives[i])
	})
}

var expanded = regexp.MustCompile(`(?i)(s(\d))?x(\d+)x(?:r(\d+))?`)

// hide makes answers of different plays alike: what belongs to this one is named
// without it. What belongs to another, or to the former life of an instance, is
// called stale.
func (n *names) hide(text string) string {
	return expanded.ReplaceAllStringFunc(text, func(match string) string {
		part := expanded.FindStringSubmatch(match)
		if part[3] != strconv.Itoa(n.play) {
			return stale
		}
		if part[1] == "" {
			return ""
		}
		i, _ := strconv.Atoi(part[2])
		if part[4] != strconv.Itoa(n.lives[i]) {
			return stale
		}
		return part[1]
	})
}

// stale is in names that this play does not look at: deltas tell of them for
// three minutes.
const stale = "STALE"

// isStale reports whether an instance is none that this play looks at.
func (n *names) isStale(i instance) bool {
	return strings.Contains(n.hide(i.app+i.id), stale)
}

// isOdd reports whether a path is in an instance that only one of the two listed.
func (n *names) isOdd(path string) bool {
	return slices.ContainsFunc(n.odd, func(i instance) bool { return strings.Contains(path, "/instance["+n.hide(i.id)+"]") })
}

// maybeStranger reports whether a request may register an instance by an id that
// would be the same in another application and in every play: Spring's server keeps
// overrides by id alone.
func (r request) maybeStranger() bool {
	return strings.HasPrefix(r.name, "hostile") && (strings.Contains(r.name, " instanceId ") || strings.Contains(r.name, " hostName "))
}

// isStranger reports whether an instance goes by such an id. It ends at once.
func isStranger(i instance) bool {
	part := expanded.FindStringSubmatch(i.id)
	return part == nil || part[1] == ""
}

// begin gives the instances that a request names a new life.
func (n *names) begin(r request) {
	for _, match := range placeholder.FindAllStringSubmatch(r.path+r.body, -1) {
		if i, err := strconv.Atoi(match[1]); err == nil {
			n.lives[i]++
		}
	}
}

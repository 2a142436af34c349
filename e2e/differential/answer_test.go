package differential

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/eurekube/eurekube/e2e/flat"
)

// documents reads answers: instances go by their id, or by their host name when
// they have none, and applications by their name.
var documents = flat.Reader{Names: []string{"instanceId", "hostName", "name"}, Repeated: []string{"application", "instance"}}

// comparedHeaders are those that a client can act on.
var comparedHeaders = []string{"Allow", "Content-Disposition", "Content-Encoding", "Content-Type", "ETag", "Location", "Vary"}

// flatten is an answer as it is compared: headers and body, but for the clock, the
// order of what has none, and names that differ from play to play.
func flatten(r request, a answer, n *names) flat.Document {
	document := readBody(a, n)
	for _, name := range comparedHeaders {
		if value := strings.Join(a.headers.Values(name), ", "); value != "" {
			document["header "+name] = value
		}
	}
	if a.body == "" && r.method != http.MethodHead {
		document["header Content-Length"] = a.headers.Get("Content-Length")
	}
	if allow := document["header Allow"]; allow != "" {
		methods := strings.Split(strings.ReplaceAll(allow, " ", ""), ",")
		slices.Sort(methods)
		document["header Allow"] = strings.Join(methods, ",")
	}
	if document["header ETag"] != "" {
		document["header ETag"] = "tag" // of each server its own
	}
	return document
}

// readBody reads a body as what its first byte says that it is. The text of a
// refusal is its only value, and so is what cannot be read: it differs from all
// that can be.
func readBody(a answer, n *names) flat.Document {
	body, forbidden := withoutForbidden(n.hide(a.body))
	var document flat.Document
	var err error
	switch {
	case body == "":
		return flat.Document{}
	case a.status >= http.StatusBadRequest && a.status != http.StatusConflict:
		return flat.Document{"body": refusal(body)}
	case strings.HasPrefix(body, "<"):
		document, err = documents.XML(body)
	default:
		document, err = documents.JSON(body)
	}
	if err != nil {
		return flat.Document{"body": fmt.Sprintf("%v in %.300q", err, body)}
	}
	if forbidden {
		document["forbidden characters"] = "as references"
	}
	dropStale(document, n)
	hideClock(document, time.Now())
	if place := placeOfDeleted(body, n); place != "" {
		document["DELETED"] = place
	}
	return document
}

var reference = regexp.MustCompile(`&#x(?:[0-8b-cBCe-fEF]|1[0-9a-fA-F]);`)

// withoutForbidden makes references to characters that XML forbids, which Spring's
// server writes and no parser reads, what ours writes in their place.
func withoutForbidden(body string) (text string, some bool) {
	if !strings.HasPrefix(body, "<") {
		return body, false
	}
	text = reference.ReplaceAllString(body, "\uFFFD")
	return text, text != body
}

// refusal is the body of an error: the error pages of Spring and Tomcat are all one.
func refusal(body string) string {
	for _, mark := range []string{`{"timestamp":`, "<Map><timestamp>", "<!doctype html>", "<html>"} {
		if strings.HasPrefix(body, mark) {
			return "error page"
		}
	}
	return strings.TrimSuffix(body, "\n") // where a line of ours ends
}

// dropStale drops what this play does not look at, and applications of which
// nothing else is left.
func dropStale(d flat.Document, n *names) {
	left := map[string]bool{} // of an application that something was dropped from
	for path := range d {
		if strings.Contains(path, stale) || n.isOdd(path) {
			if app, _, found := strings.Cut(path, "/instance["); found && !strings.Contains(app, stale) {
				left[app] = left[app] || false
			}
			delete(d, path)
		}
	}
	for path := range d {
		if app, _, found := strings.Cut(path, "/instance["); found {
			left[app] = true
		}
	}
	for path := range d {
		for app, any := range left {
			if !any && (path == app || strings.HasPrefix(path, app+"/")) {
				delete(d, path)
			}
		}
	}
}

// hideClock makes every time near at, in milliseconds since 1970, the word now.
func hideClock(d flat.Document, at time.Time) {
	const near = 10 * time.Minute
	for path, value := range d {
		ms, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 64)
		if err == nil && time.UnixMilli(ms).Sub(at).Abs() < near {
			d[path] = strings.Replace(value, strconv.FormatInt(ms, 10), "now", 1)
		}
	}
}

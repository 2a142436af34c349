package api

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gorilla/mux"
)

// canonical is r with its path in one spelling: doubled and trailing slashes
// gone, matrix parameters dropped as Jersey drops them, each segment decoded
// once and encoded again. Clients spell paths in all these ways (field cases 30,
// 31 and 33) and many follow no redirect, so none is ever sent.
func canonical(r *http.Request) *http.Request {
	if r.URL.RawPath == "" && isCanonical(r.URL.Path) {
		return r
	}
	path, escaped := canonicalPath(r.URL.EscapedPath())
	if path == r.URL.Path && (escaped == r.URL.RawPath || r.URL.RawPath == "" && escaped == path) {
		return r
	}
	u := *r.URL
	u.Path, u.RawPath = path, escaped
	c := r.WithContext(r.Context())
	c.URL = &u
	return c
}

// isCanonical reports whether canonicalPath would return path as it is, without
// making another one: most clients send it so, and heartbeats are many.
func isCanonical(path string) bool {
	if path == "" || path[0] != '/' || len(path) > 1 && strings.HasSuffix(path, "/") {
		return false
	}
	for i := range len(path) {
		switch c := path[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.~$&+:=@", c) >= 0:
		case c == '/' && (i == 0 || path[i-1] != '/'):
		default:
			return false
		}
	}
	return true
}

// canonicalPath returns the decoded and the encoded form of an encoded path.
func canonicalPath(encoded string) (path, escaped string) {
	var p, e strings.Builder
	for segment := range strings.SplitSeq(encoded, "/") {
		segment, _, _ = strings.Cut(segment, ";")
		decoded, err := url.PathUnescape(segment)
		if err != nil {
			decoded = segment // EscapedPath yields valid escapes; anything else is text
		}
		if decoded == "" {
			continue
		}
		p.WriteByte('/')
		p.WriteString(decoded)
		e.WriteByte('/')
		e.WriteString(url.PathEscape(decoded))
	}
	if p.Len() == 0 {
		return "/", "/"
	}
	return p.String(), e.String()
}

// ofInstance takes apart the path of a single instance if that is in canonical
// spelling and has nothing encoded, as nearly all are.
func ofInstance(u *url.URL) (app, id string, ok bool) {
	if u.RawPath != "" {
		return "", "", false
	}
	for _, prefix := range prefixes {
		rest, under := strings.CutPrefix(u.Path, prefix)
		rest, apps := strings.CutPrefix(rest, "/apps/")
		if !under || !apps {
			continue
		}
		app, id, ok = strings.Cut(rest, "/")
		return app, id, ok && !strings.Contains(id, "/")
	}
	return "", "", false
}

// variable is the decoded value of a path variable that the router found.
func variable(r *http.Request, name string) string {
	escaped := mux.Vars(r)[name]
	value, err := url.PathUnescape(escaped)
	if err != nil {
		return escaped // canonical encoded it, so it decodes
	}
	return value
}

package api

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/mux"
)

func FuzzCanonicalPath(f *testing.F) {
	for _, path := range []string{"/eureka/apps", "//eureka//apps/", "/eureka/apps/A/a%2Fb", "/eureka/apps;x=1/%3B", "/%", "/%zz", "/.//..", "/eureka/apps/A/10.0.0.5:a+b@c=$&~_-:80", ""} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, encoded string) {
		path, escaped := canonicalPath(encoded)
		if !strings.HasPrefix(path, "/") || !strings.HasPrefix(escaped, "/") {
			t.Fatalf("canonicalPath(%q) = %q, %q, want absolute paths", encoded, path, escaped)
		}
		if decoded, err := url.PathUnescape(escaped); err != nil || decoded != path {
			t.Errorf("canonicalPath(%q): %q decodes to %q, %v; want %q", encoded, escaped, decoded, err, path)
		}
		if strings.Contains(escaped, "//") || escaped != "/" && strings.HasSuffix(escaped, "/") {
			t.Errorf("canonicalPath(%q) = %q keeps an empty segment", encoded, escaped)
		}
		if isCanonical(encoded) && (path != encoded || escaped != encoded) {
			t.Errorf("canonicalPath(%q) = %q, %q, although it is canonical", encoded, path, escaped)
		}
		if again, twice := canonicalPath(escaped); again != path || twice != escaped {
			t.Errorf("canonicalPath of its own answer %q = %q, %q", escaped, again, twice)
		}
	})
}

// FuzzOfInstance holds the short way to the route of single instances to what the
// router would have found.
func FuzzOfInstance(f *testing.F) {
	for _, path := range []string{
		"/eureka/apps/A/a", "/eureka/v2/apps/A/a:1", "/eureka/apps/A", "/eureka/apps/delta/a", "/eureka/apps/A/a/status", "/eureka/apps/A/a%2Fb",
		"/eureka/apps/v2/apps", "/eureka/v2/apps", "/eureka/instances/a", "/other/apps/A/a", "/eureka/eureka/apps/A/a",
	} {
		f.Add(path)
	}
	router := New(Config{}).router
	f.Fuzz(func(t *testing.T, encoded string) {
		u := &url.URL{}
		path, escaped := canonicalPath(encoded)
		if u.Path = path; escaped != path {
			u.RawPath = escaped
		}
		var match mux.RouteMatch
		router.Match(&http.Request{Method: http.MethodPut, URL: u}, &match)
		isInstance := match.Route != nil && strings.HasSuffix(match.Route.GetName(), instancePath)

		app, id, ok := ofInstance(u)
		if want := isInstance && u.RawPath == ""; ok != want {
			t.Fatalf("ofInstance(%q) = %v, want %v", path, ok, want)
		}
		if ok && (app != match.Vars["app"] || id != match.Vars["id"]) {
			t.Errorf("ofInstance(%q) = %q, %q, want %v", path, app, id, match.Vars)
		}
	})
}

package api

import (
	"net/url"
	"strings"
	"testing"
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

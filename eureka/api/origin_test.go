package api

import (
	"net/http"
	"strings"
	"testing"
)

// pages are requests as browsers send them for a page, and programs for nobody. The
// server is http://eurekube:8761.
var pages = []struct {
	name    string
	headers []string
	refused bool
}{
	{"a program", nil, false},
	{"a program in Node", []string{"Sec-Fetch-Mode: cors"}, false},
	{"a person at the address bar", []string{"Sec-Fetch-Site: none"}, false},
	{"the server's own page", []string{"Sec-Fetch-Site: same-origin", "Origin: http://eurekube:8761"}, false},
	{"the server's own page, by plain HTTP", []string{"Origin: http://eurekube:8761"}, false},
	{"the server's own page behind TLS that ends before it", []string{"Origin: https://eurekube:8761"}, false},
	{"another site", []string{"Sec-Fetch-Site: cross-site", "Origin: https://evil.example"}, true},
	{"another site without an origin", []string{"Sec-Fetch-Site: cross-site"}, true},
	{"another host of the site", []string{"Sec-Fetch-Site: same-site", "Origin: https://shop.eurekube"}, true},
	{"a word that is not known yet", []string{"Sec-Fetch-Site: elsewhere"}, true},
	{"another site, by plain HTTP", []string{"Origin: http://evil.example"}, true},
	{"another port", []string{"Origin: http://eurekube:8080"}, true},
	{"no port", []string{"Origin: http://eurekube"}, true},
	{"a frame without an origin", []string{"Origin: null"}, true},
	{"a word that is no origin", []string{"Origin: ://"}, true},
}

// TestPagesOfOtherOriginsDoNotWrite sends every write, also one to a path in another
// spelling and one to a mount, and the reads, which are not refused.
func TestPagesOfOtherOriginsDoNotWrite(t *testing.T) {
	body := registration("A", "i1").document(t)
	posted := 0
	s := run(t, func(s *server, config *Config) {
		withLeases(s, config)
		answer := func(_ http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				posted++
			}
		}
		config.Mounts = []Mount{{Path: "/other", Get: answer, Post: answer}}
	})
	s.open()
	s.url = "http://eurekube:8761"
	requests := []struct {
		name, method, path, body string
		write                    bool
	}{
		{"register", "POST", "/eureka/apps/A", body, true}, // a Blob has no type
		{"register in another spelling", "POST", "//eureka/v2/apps/%41/", body, true},
		{"heartbeat", "PUT", "/eureka/apps/A/i1?status=UP", "", true},
		{"heartbeat in another spelling", "PUT", "/eureka//apps/A/i1/", "", true},
		{"override", "PUT", "/eureka/apps/A/i1/status?value=DOWN", "", true},
		{"remove the override", "DELETE", "/eureka/apps/A/i1/status?value=UP", "", true},
		{"metadata", "PUT", "/eureka/apps/A/i1/metadata?a=b", "", true},
		{"batch", "POST", "/eureka/peerreplication/batch", `{"replicationList":[]}`, true},
		{"mount", "POST", "/other", "", true},
		{"read of a mount", "GET", "/other", "", false},
		{"all", "GET", "/eureka/apps", "", false},
		{"head", "HEAD", "/eureka/apps", "", false},
		{"one instance", "GET", "/eureka/apps/A/i1", "", false},
		{"methods", "OPTIONS", "/eureka/apps/A/i1", "", false},
		{"cancel", "DELETE", "/eureka/apps/A/i1", "", true},
	}
	for _, page := range pages {
		t.Run(page.name, func(t *testing.T) {
			s.want(s.send("POST", "/eureka/apps/A", body, contentJSON), http.StatusNoContent)
			posted = 0
			for _, r := range requests {
				a := s.send(r.method, r.path, r.body, page.headers...)
				switch {
				case !page.refused || !r.write:
					if a.StatusCode/100 != 2 {
						t.Errorf("%s = %d %q, want it to be let in", r.name, a.StatusCode, a.text)
					}
				case a.StatusCode != http.StatusForbidden || !strings.Contains(a.text, "another origin") || a.Header.Get("Content-Type") != plainText:
					t.Errorf("%s = %d %q, want 403 that says why", r.name, a.StatusCode, a.text)
				}
				if got := a.Header.Values("Access-Control-Allow-Origin"); got != nil {
					t.Errorf("%s lets %v read the answer, want nobody", r.name, got)
				}
				if page.refused {
					if got := s.instance("/eureka/apps/A/i1"); got.Status != "UP" || got.Metadata["a"] != "" {
						t.Errorf("after %s the instance is %s with %v, want it as it was", r.name, got.Status, got.Metadata)
					}
				}
			}
			if want := map[bool]int{false: 1}[page.refused]; posted != want {
				t.Errorf("the mount took %d requests, want %d", posted, want)
			}
		})
	}
}

// TestPagesAreNotAskedForCredentials holds that another origin is refused first: a
// 401 would have the browser ask its user for a password. One that remembers a
// password sends it.
func TestPagesAreNotAskedForCredentials(t *testing.T) {
	s := run(t, func(s *server, config *Config) {
		withLeases(s, config)
		config.Users, config.AuthReads = users(t), true
	})
	s.listen()
	s.open()
	base := s.url
	for _, user := range []string{"", "plain:pass%3Aword@"} {
		s.url = strings.Replace(base, "http://", "http://"+user, 1)
		a := s.send("POST", "/eureka/apps/A", registration("A", "i1").document(t), "Origin: https://evil.example")
		if a.StatusCode != http.StatusForbidden || a.Header.Get("WWW-Authenticate") != "" {
			t.Errorf("POST as %q = %d, WWW-Authenticate %q; want 403 alone", user, a.StatusCode, a.Header.Get("WWW-Authenticate"))
		}
	}
	if all := s.listed(); len(all) != 0 {
		t.Errorf("listed = %v, want nobody", all)
	}
}

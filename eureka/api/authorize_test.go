package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/internal/auth"
)

// users is a file of users with a plain and a hashed password.
func users(t *testing.T) *auth.File {
	t.Helper()
	hash, err := bcrypt.GenerateFromPassword([]byte("s3cret"), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	file, err := auth.Open(usersFile(t, "plain:pass:word\nhashed:"+string(hash)+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func TestCredentials(t *testing.T) {
	body := registration("A", "i1").document(t)
	requests := []struct {
		name, method, path, body string
		write                    bool
	}{
		{"register", "POST", "/eureka/apps/A", body, true},
		{"heartbeat", "PUT", "/eureka/apps/A/i1", "", true},
		{"override", "PUT", "/eureka/v2/apps/A/i1/status?value=DOWN", "", true},
		{"remove the override", "DELETE", "/eureka/apps/A/i1/status?value=UP", "", true},
		{"metadata", "PUT", "//eureka/apps/A/i1/metadata?a=b", "", true},
		{"batch", "POST", "/eureka/peerreplication/batch/", `{"replicationList":[]}`, true},
		{"all", "GET", "/eureka/apps/", "", false},
		{"delta", "GET", "/eureka/apps/delta", "", false},
		{"one app", "GET", "/eureka/apps/A", "", false},
		{"one instance", "GET", "/eureka/instances/i1", "", false},
		{"status", "GET", "/eureka/status", "", false},
		{"cancel", "DELETE", "/eureka/apps/A/i1", "", true},
	}
	credentials := []struct {
		name, user, password string
		good                 bool
	}{
		{"none", "", "", false},
		{"a wrong password", "plain", "word", false},
		{"an unknown user", "nobody", "s3cret", false},
		{"a plain password", "plain", "pass:word", true},
		{"a hashed one", "hashed", "s3cret", true},
	}
	for _, closed := range []bool{false, true} {
		s := run(t, func(s *server, config *Config) {
			withLeases(s, config)
			config.Users, config.AuthReads = users(t), closed
		})
		s.listen()
		s.open()
		for _, c := range credentials {
			for _, r := range requests {
				t.Run(c.name+" "+r.name, func(t *testing.T) {
					base := s.url
					if c.user != "" {
						s.url = strings.Replace(base, "http://", "http://"+c.user+":"+strings.ReplaceAll(c.password, ":", "%3A")+"@", 1)
					}
					a := s.send(r.method, r.path, r.body)
					s.url = base
					s.settle()
					if c.good || !r.write && !closed {
						if a.StatusCode/100 != 2 && a.StatusCode != http.StatusNotFound {
							t.Errorf("answer = %d, want it to be let in", a.StatusCode)
						}
						return
					}
					s.wantEmpty(a, http.StatusUnauthorized)
					if got := a.Header.Get("WWW-Authenticate"); got != `Basic realm="eureka", charset="UTF-8"` {
						t.Errorf("WWW-Authenticate = %q", got)
					}
				})
			}
		}
	}
}

func TestCredentialsAreAskedForBeforeAnythingIsTold(t *testing.T) {
	s := run(t, func(s *server, config *Config) {
		withLeases(s, config)
		config.Users, config.AuthReads = users(t), true
	})
	s.listen()
	s.wantEmpty(s.get("/eureka/apps"), http.StatusUnauthorized) // before the first list, which is 503 to a user
	s.wantEmpty(s.send("POST", "/eureka/apps/A", strings.Repeat("x", 2*maxBody)), http.StatusUnauthorized)
	s.wantEmpty(s.do("PUT", "/eureka/apps/A/i1?lastDirtyTimestamp=x"), http.StatusUnauthorized)
}

func TestClaimedNamesAreKeptFromStrangers(t *testing.T) {
	s := run(t, func(s *server, config *Config) {
		s.leases = lease.NewStore(lease.Config{Registry: s.registry, Mode: lease.ModeOn, ClaimNames: true, Threshold: 0.85, Ceiling: time.Hour})
		config.Leases = s.leases
	})
	s.open()
	s.change("shop/orders-1/uid", inst("ORDERS", "i1")) // at 10.0.0.5
	a := s.send("POST", "/eureka/apps/ORDERS", registration("ORDERS", "stranger").document(t), contentJSON)
	if a.StatusCode != http.StatusForbidden || !strings.Contains(a.text, "10.0.0.9 is not the address of a pod with the app name ORDERS") || a.Header.Get("Content-Type") != plainText {
		t.Errorf("answer to a stranger's address = %d %q, want 403 that says why", a.StatusCode, a.text)
	}
	// It names the pod's address, and comes from the recorder's own.
	a = s.send("POST", "/eureka/apps/ORDERS", registration("ORDERS", "i1").with(fields{"hostName": "10.0.0.5", "ipAddr": "10.0.0.5"}).document(t), contentJSON)
	if a.StatusCode != http.StatusForbidden || !strings.Contains(a.text, "192.0.2.1") {
		t.Errorf("answer to a stranger = %d %q, want 403 that says why", a.StatusCode, a.text)
	}
	s.want(s.send("POST", "/eureka/apps/OTHER", registration("OTHER", "other").document(t), contentJSON), http.StatusNoContent)
	if all := s.listed(); len(all) != 2 {
		t.Errorf("listed = %v, want the pod and the other app", all)
	}
	own := inst("SELF", "i1")
	own.IPAddr, own.HostName = "192.0.2.1", "192.0.2.1"
	s.change("shop/self/uid", own)
	s.registry.Replace(registry.OwnerPod, "shop/self/uid", registry.Listed(own.Clone(), endpoints(own)...))
	s.want(s.send("POST", "/eureka/apps/SELF", registration("SELF", "x").with(fields{"hostName": "192.0.2.1", "ipAddr": "192.0.2.1"}).document(t), contentJSON), http.StatusNoContent)
}

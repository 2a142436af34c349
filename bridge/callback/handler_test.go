package callback

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/snapshot"
	"github.com/eurekube/eurekube/internal/auth"
)

// valid is a registration with one member in place of its own.
func valid(member, value string) string {
	members := map[string]string{
		"ServiceName": `"Log"`, "ServiceURL": `"http://10.0.0.1:4000"`, "RequiredServices": `["Orders"]`,
		"ServiceUpdateURL": `"http://10.0.0.1:4000/services"`, "HeartbeatURL": `"http://10.0.0.1:4000/heartbeat"`,
	}
	if member != "" {
		members[member] = value
	}
	var all []string
	for name, value := range members {
		if value != "" {
			all = append(all, fmt.Sprintf("%q:%s", name, value))
		}
	}
	return "{" + strings.Join(all, ",") + "}"
}

func TestRegister_JudgesTheBody(t *testing.T) {
	long := strings.Repeat("x", 2000)
	tests := []struct {
		name, body string
		want       int
		reason     string // part of it
	}{
		{name: "complete", body: valid("", ""), want: 200},
		{name: "nothing required and no update URL", body: strings.NewReplacer(`["Orders"]`, `[]`, `ServiceUpdateURL`, `Other`).Replace(valid("", "")), want: 200},
		{name: "required is null", body: valid("RequiredServices", "null"), want: 200},
		{name: "names in another case", body: strings.NewReplacer("ServiceUpdateURL", "ServiceUpdateURl", "HeartbeatURL", "heartbeaturl", "ServiceName", "servicename").Replace(valid("", "")), want: 200},
		{name: "name with a space", body: valid("ServiceName", `"Log Service"`), want: 200},
		{name: "name in Chinese", body: valid("ServiceName", `"日志"`), want: 200},
		{name: "no JSON", body: "hello", want: 400, reason: "no registration in JSON"},
		{name: "empty", body: "", want: 400, reason: "no registration in JSON"},
		{name: "two documents", body: valid("", "") + valid("", ""), want: 400, reason: "no registration in JSON"},
		{name: "a number for a name", body: valid("ServiceName", "7"), want: 400, reason: "no registration in JSON"},
		{name: "no UTF-8", body: valid("ServiceName", "\"\xff\""), want: 400, reason: "not UTF-8"},
		{name: "no name", body: valid("ServiceName", ""), want: 400, reason: "ServiceName is missing"},
		{name: "long name", body: valid("ServiceName", `"`+long+`"`), want: 400, reason: "ServiceName is longer than 255 bytes"},
		{name: "name with space around it", body: valid("ServiceName", `" Log"`), want: 400, reason: "ServiceName has space around it"},
		{name: "name that is a path", body: valid("ServiceName", `"a/b"`), want: 400, reason: `ServiceName holds '/'`},
		{name: "name that is two VIPs", body: valid("ServiceName", `"a,b"`), want: 400, reason: `ServiceName holds ','`},
		{name: "name with a line break", body: valid("ServiceName", `"a\nb"`), want: 400, reason: `ServiceName holds`},
		{name: "nameless requirement", body: valid("RequiredServices", `[""]`), want: 400, reason: "RequiredServices"},
		{name: "long requirement", body: valid("RequiredServices", `["`+long+`"]`), want: 400, reason: "RequiredServices"},
		{name: "64 requirements", body: valid("RequiredServices", `["a"`+strings.Repeat(`,"a"`, 63)+`]`), want: 200},
		{name: "65 requirements", body: valid("RequiredServices", `["a"`+strings.Repeat(`,"a"`, 64)+`]`), want: 400, reason: "more than 64"},
		{name: "no ServiceURL", body: valid("ServiceURL", ""), want: 400, reason: "ServiceURL"},
		{name: "no HeartbeatURL", body: valid("HeartbeatURL", ""), want: 400, reason: "HeartbeatURL is missing\n"},
		{name: "no update URL", body: valid("ServiceUpdateURL", ""), want: 400, reason: "ServiceUpdateURL"},
		{name: "long URL", body: valid("ServiceURL", `"http://10.0.0.1/`+long+`"`), want: 400, reason: "longer than 1024"},
		{name: "ServiceURL anywhere", body: valid("ServiceURL", `"http://shop.example.com/api"`), want: 200},
		{name: "forbidden heartbeat", body: valid("HeartbeatURL", `"http://127.0.0.1:4000/"`), want: 400, reason: "HeartbeatURL: no address of 127.0.0.1 may be called: see --callback-targets"},
		{name: "forbidden update", body: valid("ServiceUpdateURL", `"http://169.254.169.254/latest"`), want: 400, reason: "ServiceUpdateURL: 169.254.169.254 is never called, whatever --callback-targets says"},
		{name: "unknown host", body: valid("HeartbeatURL", `"http://nowhere.example/"`), want: 400, reason: "HeartbeatURL: lookup nowhere.example"},
		{name: "too long", body: valid("ServiceName", `"`+strings.Repeat("x", 1<<20)+`"`), want: 413, reason: "longer than 1048576 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				r.bridge.calls.dialer.resolve = names{}.lookup
				answer := r.send(http.MethodPost, tt.body)
				if answer.Code != tt.want || !strings.Contains(answer.Body.String(), tt.reason) {
					r.Errorf("%d %q, want %d %q", answer.Code, answer.Body, tt.want, tt.reason)
				}
				if (tt.reason == "") != (answer.Body.Len() == 0) {
					r.Errorf("body %q, want one only for a refusal", answer.Body)
				}
			})
		})
	}
}

func TestRequests_Statuses(t *testing.T) {
	off := func(l *lease.Config, _ *Config) { l.Mode = lease.ModeOff }
	tests := []struct {
		name, method, path, body string
		adjust                   func(*lease.Config, *Config)
		want                     int
		header, value            string
	}{
		{name: "slash behind", method: "POST", path: "/services/", body: valid("", ""), want: 200},
		{name: "another path", method: "POST", path: "/service", body: valid("", ""), want: 404},
		{name: "root", method: "GET", path: "/", want: 404},
		{name: "GET", method: "GET", path: "/services", want: 405, header: "Allow", value: "DELETE, POST"},
		{name: "PUT", method: "PUT", path: "/services", body: valid("", ""), want: 405, header: "Allow", value: "DELETE, POST"},
		{name: "unknown service", method: "DELETE", path: "/services", body: "http://10.0.0.1:4000", want: 400},
		{name: "DELETE of nothing", method: "DELETE", path: "/services", want: 400},
		{name: "self-registration off", method: "POST", path: "/services", body: valid("", ""), adjust: off, want: 405, header: "Allow", value: ""},
		{
			name: "no pod of that name", method: "POST", path: "/services", body: valid("", ""), want: 403,
			adjust: func(l *lease.Config, _ *Config) { l.Mode = lease.ModePodsOnly },
		},
		{
			name: "no snapshot yet", method: "POST", path: "/services", body: valid("", ""), want: 503,
			adjust: func(_ *lease.Config, c *Config) { c.Snapshot = func() *snapshot.Snapshot { return nil } },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, tt.adjust, func(r *rig) {
				request := httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body))
				answer := httptest.NewRecorder()
				r.bridge.ServeHTTP(answer, request)
				if answer.Code != tt.want || answer.Header().Get(tt.header) != tt.value {
					r.Errorf("%d %v, want %d with %s: %s", answer.Code, answer.Header(), tt.want, tt.header, tt.value)
				}
			})
		})
	}
}

func TestRequests_OfABridgeThatDoesNotRun(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		config := r.bridge.config
		config.Registerer = nil
		answer := httptest.NewRecorder()
		New(config).ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/services", strings.NewReader(valid("", ""))))
		if answer.Code != http.StatusServiceUnavailable {
			r.Errorf("%d, want 503", answer.Code)
		}
	})
}

func TestRequests_NeedCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(file, []byte("ops:secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	users, err := auth.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, user, password string
		want                 int
	}{
		{name: "none", want: 401},
		{name: "wrong", user: "ops", password: "guess", want: 401},
		{name: "right", user: "ops", password: "secret", want: 200},
	}
	for _, tt := range tests {
		for method, body := range map[string]string{http.MethodPost: valid("", ""), http.MethodDelete: "http://10.0.0.1:4000"} {
			t.Run(tt.name+" "+method, func(t *testing.T) {
				inBubble(t, func(_ *lease.Config, c *Config) { c.Users = users }, func(r *rig) {
					request := httptest.NewRequest(method, "/services", strings.NewReader(body))
					if tt.user != "" {
						request.SetBasicAuth(tt.user, tt.password)
					}
					answer := httptest.NewRecorder()
					r.bridge.ServeHTTP(answer, request)
					want := tt.want
					if want == 200 && method == http.MethodDelete {
						want = 400 // let in, and nothing is there
					}
					if answer.Code != want || (want == 401) != (answer.Header().Get("WWW-Authenticate") != "") {
						r.Errorf("%d %v, want %d", answer.Code, answer.Header(), want)
					}
				})
			})
		}
	}
}

// Names of pods are kept to those pods, for a DELETE as well.
func TestRequests_ObeyClaimedNames(t *testing.T) {
	inBubble(t, func(l *lease.Config, _ *Config) { l.ClaimNames = true }, func(r *rig) {
		log := r.start(1, "Log")
		log.register()
		r.pod(1, "log")
		r.settle()
		if answer := r.send(http.MethodDelete, log.url()); answer.Code != http.StatusForbidden {
			r.Errorf("DELETE from a stranger = %d %q, want 403", answer.Code, answer.Body)
		}
		if answer := r.send(http.MethodPost, log.registration()); answer.Code != http.StatusForbidden || !strings.Contains(answer.Body.String(), "the name belongs to pods") {
			r.Errorf("POST from a stranger = %d %q, want 403", answer.Code, answer.Body)
		}
		time.Sleep(time.Minute) // its lease ended, and no probe brings it back
		r.expectListed("LOG", "10.1.0.1:log:8080")
		r.expectMetric("eurekube_callback_services", "watch", 1)
	})
}

// The ServiceURL of a pod's program under another name would end that program.
func TestRequests_ClaimedServicesAreNotReplaced(t *testing.T) {
	inBubble(t, func(l *lease.Config, _ *Config) { l.ClaimNames = true }, func(r *rig) {
		r.pod(1, "log")
		r.settle()
		log := r.inPod(1, "log")
		r.expectListed("LOG", "10.1.0.1:log:8080")
		renamed := valid("ServiceURL", fmt.Sprintf("%q", log.url()))
		if answer := r.send(http.MethodPost, strings.Replace(renamed, `"Log"`, `"Journal"`, 1)); answer.Code != http.StatusForbidden {
			r.Errorf("POST of a pod's ServiceURL by a stranger = %d %q, want 403", answer.Code, answer.Body)
		}
		r.expectListed("LOG", "10.1.0.1:log:8080")
		r.expectListed("JOURNAL")
	})
}

func TestRequests_OwnPortsAreNotCalled(t *testing.T) {
	inBubble(t, func(_ *lease.Config, c *Config) {
		c.Targets, c.OwnPorts = prefixes("127.0.0.0/8"), func() []uint16 { return []uint16{8081} }
	}, func(r *rig) {
		answer := r.send(http.MethodPost, valid("HeartbeatURL", `"http://127.0.0.1:8081/"`))
		want := "HeartbeatURL: port 8081 of this machine is one of Eurekube's own and is never called\n"
		if got := answer.Body.String(); answer.Code != http.StatusBadRequest || got != want {
			r.Errorf("POST = %d %q, want 400 %q", answer.Code, got, want)
		}
		r.expect(http.MethodPost, strings.ReplaceAll(valid("", ""), "10.0.0.1:4000", "127.0.0.1:8082"), http.StatusOK)
	})
}

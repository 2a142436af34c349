package app

import (
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

func TestGeeRPC_OffIs404(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.serve()
		r.equal("GET", r.get(geeRPCPath).Code, http.StatusNotFound)
		r.post(http.StatusNotFound, "192.0.2.7:1", "X-Geerpc-Server: tcp@192.0.2.7:9000")
	})
}

// TestGeeRPC_BeforeTheFirstList asks a program that has not begun to serve.
func TestGeeRPC_BeforeTheFirstList(t *testing.T) {
	p, err := newParts(parse(t, []string{"--manifests=" + t.TempDir(), "--bridge=geerpc"}, nil), source{}, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{T: t, api: p.api}
	r.equal("GET", r.get(geeRPCPath).Code, http.StatusServiceUnavailable)
	r.posts("tcp@192.0.2.7:9000") // it need not come again
}

func TestGeeRPC_Exchanges(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.serve("--bridge=geerpc")
		r.wantServers("")
		r.posts("tcp@192.0.2.7:9001")
		r.wantServers("tcp@192.0.2.7:9001")
		r.posts("http@orders.example:80", "tcp@[2001:db8::7]:9000", "tcp@192.0.2.7:9000", "tcp@192.0.2.7:9001")
		r.wantServers("http@orders.example:80,tcp@192.0.2.7:9000,tcp@192.0.2.7:9001,tcp@[2001:db8::7]:9000")

		r.post(http.StatusInternalServerError, "192.0.2.7:1")
		r.post(http.StatusInternalServerError, "192.0.2.7:1", "X-Geerpc-Server: ")
		r.post(http.StatusBadRequest, "192.0.2.7:1", "X-Geerpc-Server: tcp@a:1", "X-Geerpc-Server: tcp@b:1")
		for _, method := range []string{http.MethodHead, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions} {
			answer := ask(r.api, method, geeRPCPath)
			r.equal(method, []any{answer.Code, answer.Header().Get("Allow")}, []any{http.StatusMethodNotAllowed, "GET, POST"})
		}
		r.equal("GET with a slash at its end", r.get(geeRPCPath+"/").Header(), r.get(geeRPCPath).Header())
	})
}

func TestGeeRPC_Nonsense(t *testing.T) {
	long := "tcp@" + strings.Repeat("a", 512-len("tcp@:80"))
	tests := []struct{ name, server string }{
		{"no protocol", "192.0.2.7:80"},
		{"empty protocol", "@192.0.2.7:80"},
		{"protocol of two words", "tcp udp@192.0.2.7:80"},
		{"no address", "tcp@"},
		{"no port", "tcp@192.0.2.7"},
		{"empty port", "tcp@192.0.2.7:"},
		{"port 0", "tcp@192.0.2.7:0"},
		{"port over 65535", "tcp@192.0.2.7:65536"},
		{"negative port", "tcp@192.0.2.7:-1"},
		{"signed port", "tcp@192.0.2.7:+80"},
		{"port by name", "tcp@192.0.2.7:http"},
		{"path of a socket", "unix@/run/rpc.sock"},
		{"comma", "tcp@192.0.2.7:80,tcp@192.0.2.8:80"},
		{"comma in the host", "tcp@a,b:80"},
		{"second @", "tcp@tcp@192.0.2.7:80"},
		{"space", "tcp@ 192.0.2.7:80"},
		{"tab", "tcp@a\tb:80"},
		{"line break", "tcp@a\r\nX-Evil: 1:80"},
		{"NUL", "tcp@a\x00:80"},
		{"umlaut", "tcp@bücher:80"},
		{"URL", "tcp@http://a:80"},
		{"IPv6 without brackets", "tcp@2001:db8::7:80"},
		{"IPv4 in brackets", "tcp@[192.0.2.7]:80"},
		{"name in brackets", "tcp@[orders]:80"},
		{"too long", long + "a:80"},
	}
	inBubble(t, func(r *rig) {
		r.serve("--bridge=geerpc")
		for _, tt := range tests {
			if answer := r.post(http.StatusBadRequest, "192.0.2.7:1", "X-Geerpc-Server: "+tt.server); answer.Body.Len() < 10 {
				t.Errorf("%s: %q says nothing of what is wrong", tt.name, answer.Body)
			}
		}
		r.wantServers("")
		r.posts(long + ":80")
		r.wantServers(long + ":80")
	})
}

// TestGeeRPC_ServersEnd posts as GeeRPC does: its servers cannot say goodbye.
func TestGeeRPC_ServersEnd(t *testing.T) {
	tests := []struct {
		name  string
		flags []string
		until time.Duration // 0 is for ever
	}{
		{name: "default", until: 5 * time.Minute},
		{name: "shorter", flags: []string{"--geerpc-ttl=30s"}, until: 30 * time.Second},
		{name: "for ever", flags: []string{"--geerpc-ttl=0"}},
	}
	const all = "tcp@192.0.2.7:1,tcp@192.0.2.7:2,tcp@192.0.2.7:3,tcp@192.0.2.7:4"
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.serve(append(tt.flags, "--bridge=geerpc")...)
				r.posts(strings.Split(all, ",")...)
				if tt.until == 0 {
					r.pass(2 * time.Hour)
					r.wantServers(all)
					// As long as the protocol can say, which is 68 years.
					r.equal("lease", r.app("GEERPC").Instances[0].Lease.DurationInSecs, math.MaxInt32)
					return
				}
				r.pass(tt.until * 4 / 5)
				r.posts("tcp@192.0.2.7:1")
				r.pass(tt.until/5 - time.Second)
				r.wantServers(all)
				r.pass(3 * time.Second)
				r.wantServers("tcp@192.0.2.7:1") // all others at once, which is no outage
				r.pass(tt.until)
				r.wantServers("")
			})
		})
	}
}

func TestGeeRPC_WhoMayPost(t *testing.T) {
	users := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(users, []byte("rpc:secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const right, wrong = "Authorization: Basic cnBjOnNlY3JldA==", "Authorization: Basic cnBjOm5v"
	tests := []struct {
		name, from, header string
		flags              []string
		post, get          int
	}{
		{name: "everybody", post: 200, get: 200},
		{name: "pods only, a stranger", flags: []string{"--self-registration=pods-only"}, post: 403, get: 200},
		{name: "pods only, a pod of another application", flags: []string{"--self-registration=pods-only"}, from: "10.0.0.2:1", post: 403, get: 200},
		{name: "pods only, a pod of the application", flags: []string{"--self-registration=pods-only"}, from: "10.0.0.1:1", post: 200, get: 200},
		{name: "claimed names, a stranger", flags: []string{"--claim-names"}, post: 403, get: 200},
		{name: "claimed names, a name that is free", flags: []string{"--claim-names", "--geerpc-app=RPC"}, post: 200, get: 200},
		{name: "users, nobody", flags: []string{"--auth-file=" + users}, post: 401, get: 200},
		{name: "users, a wrong password", flags: []string{"--auth-file=" + users}, header: wrong, post: 401, get: 200},
		{name: "users, one of them", flags: []string{"--auth-file=" + users}, header: right, post: 200, get: 200},
		{name: "closed reads, nobody", flags: []string{"--auth-file=" + users, "--auth-reads"}, post: 401, get: 401},
		{name: "closed reads, one of the users", flags: []string{"--auth-file=" + users, "--auth-reads"}, header: right, post: 200, get: 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.create(pod("a", "10.0.0.1", "geerpc"), pod("b", "10.0.0.2", "orders"))
				r.serve(append(tt.flags, "--bridge=geerpc")...)
				from := "192.0.2.7:1"
				if tt.from != "" {
					from = tt.from
				}
				var headers []string
				if tt.header != "" {
					headers = []string{tt.header}
				}
				answer := r.post(tt.post, from, append(headers, "X-Geerpc-Server: tcp@[::]:9000")...)
				if tt.post == http.StatusForbidden && !strings.Contains(answer.Body.String(), "pod") {
					t.Errorf("403 says %q, want the reason", answer.Body)
				}
				r.equal("GET", r.get(geeRPCPath, headers...).Code, tt.get)
			})
		})
	}
}

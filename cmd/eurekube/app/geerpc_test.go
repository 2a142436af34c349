package app

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
)

const geeRPCPath = "/_geerpc_/registry"

// post sends headers, written as "Name: value", to the registry of GeeRPC from an
// address, and wants a status.
func (r *rig) post(code int, from string, headers ...string) *httptest.ResponseRecorder {
	r.Helper()
	req := httptest.NewRequestWithContext(r.Context(), http.MethodPost, geeRPCPath, http.NoBody)
	req.RemoteAddr = from
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		req.Header.Add(name, value)
	}
	answer := httptest.NewRecorder()
	r.api.ServeHTTP(answer, req)
	if answer.Code != code || code == http.StatusOK && answer.Body.Len() > 0 {
		r.Errorf("POST %q from %s = %d %q, want %d", headers, from, answer.Code, answer.Body, code)
	}
	return answer
}

// posts wants servers to be taken that post from one address.
func (r *rig) posts(servers ...string) {
	r.Helper()
	for _, text := range servers {
		r.post(http.StatusOK, "192.0.2.7:40000", "X-Geerpc-Server: "+text)
	}
}

// wantServers compares the list of GeeRPC, which is in a header and nowhere else.
func (r *rig) wantServers(want string) {
	r.Helper()
	answer := r.get(geeRPCPath)
	got, there := answer.Header()["X-Geerpc-Servers"]
	if answer.Code != http.StatusOK || !there || len(got) != 1 || got[0] != want || answer.Body.Len() > 0 {
		r.Errorf("GET = %d with %q and body %q, want 200 with %q and nothing", answer.Code, got, answer.Body, want)
	}
}

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

// TestGeeRPC_EurekaSeesServers compares what is posted with what Eureka clients
// get to call.
func TestGeeRPC_EurekaSeesServers(t *testing.T) {
	tests := []struct {
		name, server, from string
		id, host, ip       string
	}{
		{"address", "tcp@198.51.100.1:9000", "192.0.2.7:1", "tcp@198.51.100.1:9000", "198.51.100.1", "198.51.100.1"},
		{"all addresses of IPv6", "tcp@[::]:9000", "192.0.2.7:1", "tcp@192.0.2.7:9000", "192.0.2.7", "192.0.2.7"},
		{"all addresses of IPv4", "tcp@0.0.0.0:9000", "192.0.2.7:1", "tcp@192.0.2.7:9000", "192.0.2.7", "192.0.2.7"},
		{"no host", "tcp@:9000", "192.0.2.7:1", "tcp@192.0.2.7:9000", "192.0.2.7", "192.0.2.7"},
		{"all addresses, over IPv6", "tcp@[::]:9000", "[2001:db8::7]:1", "tcp@[2001:db8::7]:9000", "[2001:db8::7]", "2001:db8::7"},
		{"IPv4 in IPv6", "tcp@[::]:9000", "[::ffff:192.0.2.7]:1", "tcp@192.0.2.7:9000", "192.0.2.7", "192.0.2.7"},
		{"loopback", "tcp@127.0.0.1:9000", "192.0.2.7:1", "tcp@192.0.2.7:9000", "192.0.2.7", "192.0.2.7"},
		{"localhost", "tcp@LocalHost:9000", "192.0.2.7:1", "tcp@192.0.2.7:9000", "192.0.2.7", "192.0.2.7"},
		{"IPv6 in full", "tcp@[2001:DB8:0:0:0:0:0:9]:9000", "192.0.2.7:1", "tcp@[2001:db8::9]:9000", "[2001:db8::9]", "2001:db8::9"},
		{"name", "http@orders.example:9000", "192.0.2.7:1", "http@orders.example:9000", "orders.example", "192.0.2.7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.serve("--bridge=geerpc", "--geerpc-app=rpc")
				r.post(http.StatusOK, tt.from, "X-Geerpc-Server: "+tt.server, "X-Forwarded-For: 203.0.113.9")
				r.wantServers(tt.server)
				got, protocol := r.one("RPC"), strings.Split(tt.server, "@")[0]
				r.equal("who and where", []string{got.ID, got.HostName, got.IPAddr, got.VIPAddress}, []string{tt.id, tt.host, tt.ip, "rpc"})
				r.equal("port", got.Port, portInfo{9000, "true"})
				r.equal("metadata", got.Metadata, metadataInfo{"protocol": protocol, "geerpc": tt.server})
				r.equal("lease", []int{got.Lease.RenewalIntervalInSecs, got.Lease.DurationInSecs}, []int{240, 300})
			})
		})
	}
	t.Run("no address", func(t *testing.T) {
		inBubble(t, func(r *rig) {
			r.serve("--bridge=geerpc")
			r.post(http.StatusBadRequest, "@", "X-Geerpc-Server: tcp@[::]:9000")
		})
	})
}

// TestGeeRPC_MachinesThatPostTheSame are one line for GeeRPC clients and two
// instances for Eureka clients.
func TestGeeRPC_MachinesThatPostTheSame(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.serve("--bridge=geerpc")
		r.post(http.StatusOK, "192.0.2.7:1", "X-Geerpc-Server: tcp@[::]:9000")
		r.post(http.StatusOK, "192.0.2.8:1", "X-Geerpc-Server: tcp@[::]:9000")
		r.wantServers("tcp@[::]:9000")
		r.wantListed("tcp@192.0.2.7:9000 UP", "tcp@192.0.2.8:9000 UP")
	})
}

// TestGeeRPC_PostsThatRenewChangeNothing looks at what every Eureka client would
// have to read again.
func TestGeeRPC_PostsThatRenewChangeNothing(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.serve("--bridge=geerpc")
		r.posts("tcp@[::]:9000")
		before := r.apps("/eureka/apps")
		r.pass(time.Minute)
		r.posts("tcp@[::]:9000")
		r.equal("what Eureka clients read after another POST", r.apps("/eureka/apps"), before)
		r.posts("tcp@0.0.0.0:9000") // the same process in other words
		r.wantServers("tcp@0.0.0.0:9000")
	})
}

// TestGeeRPC_ClientsSeePods opts pods in.
func TestGeeRPC_ClientsSeePods(t *testing.T) {
	inBubble(t, func(r *rig) {
		p := pod("a", "10.0.0.1", "orders", annotation("geerpc", "tcp"))
		old := func(p *corev1.Pod) { delete(p.Labels, "eurekube.io/service") }
		r.create(p, pod("b", "10.0.0.2", "orders"),
			pod("six", "fd00::5", "orders", annotation("geerpc", "http")),
			pod("old", "10.0.0.3", "", old, choerodon("old"), func(p *corev1.Pod) { p.Annotations["choerodon.io/geerpc"] = "tcp" }),
			pod("bad", "10.0.0.4", "orders", annotation("geerpc", "tcp@10.0.0.9:1,")),
			pod("far", "10.0.0.6", "orders", annotation("geerpc", "tcp"), annotation("advertise-host", "node.example"), annotation("advertise-port", "30080")),
			pod("out", "10.0.0.7", "orders", annotation("geerpc", "tcp"), annotation("status", "OUT_OF_SERVICE")))
		r.serve("--bridge=geerpc", "--self-registration=off")
		r.wantServers("http@[fd00::5]:8080,tcp@10.0.0.1:8080,tcp@10.0.0.3:8080,tcp@node.example:30080")
		r.equal("metadata for Eureka clients", r.app("OLD").Instances[0].Metadata["geerpc"], "tcp")
		warned := r.explained("?service=orders&listed=true")
		for _, info := range warned {
			r.equal("warnings of "+info.Name, len(info.Warnings) > 0, info.Name == "bad")
		}
		r.remove(p)
		r.wantServers("http@[fd00::5]:8080,tcp@10.0.0.3:8080,tcp@node.example:30080")
		answer := r.post(http.StatusMethodNotAllowed, "192.0.2.7:1", "X-Geerpc-Server: tcp@192.0.2.7:9000")
		r.equal("Allow without self-registration", answer.Header().Get("Allow"), "GET")
	})
}

// TestGeeRPC_APodThatPostsIsOneServer has a pod of the application post itself.
func TestGeeRPC_APodThatPostsIsOneServer(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.create(pod("a", "10.0.0.1", "geerpc", annotation("geerpc", "tcp")), pod("b", "10.0.0.2", "geerpc"))
		r.serve("--bridge=geerpc")
		r.post(http.StatusOK, "10.0.0.1:1", "X-Geerpc-Server: tcp@[::]:8080")
		r.post(http.StatusOK, "10.0.0.2:1", "X-Geerpc-Server: http@[::]:8080")
		r.wantServers("http@[::]:8080,tcp@10.0.0.1:8080")
		r.wantListed("10.0.0.1:geerpc:8080 UP", "10.0.0.2:geerpc:8080 UP")
		r.pass(time.Hour) // a pod has no lease that could end
		r.wantServers("http@[::]:8080,tcp@10.0.0.1:8080")
	})
}

// TestGeeRPC_StatusesCount takes a server out as an operator does.
func TestGeeRPC_StatusesCount(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.serve("--bridge=geerpc")
		r.posts("tcp@192.0.2.7:1", "tcp@192.0.2.7:2")
		r.equal("override", ask(r.api, http.MethodPut, "/eureka/apps/GEERPC/tcp@192.0.2.7:1/status?value=OUT_OF_SERVICE").Code, 200)
		r.wantServers("tcp@192.0.2.7:2")
		r.posts("tcp@192.0.2.7:1")
		r.wantServers("tcp@192.0.2.7:2")
		r.equal("end of the override", ask(r.api, http.MethodDelete, "/eureka/apps/GEERPC/tcp@192.0.2.7:1/status").Code, 200)
		r.posts("tcp@192.0.2.7:1")
		r.wantServers("tcp@192.0.2.7:1,tcp@192.0.2.7:2")
	})
}

// TestGeeRPC_EurekaInstancesOptIn has one that registered itself over Eureka say
// how GeeRPC clients reach it, and others try to say more.
func TestGeeRPC_EurekaInstancesOptIn(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.serve("--bridge=geerpc")
		for id, said := range map[string]string{"n1": "tcp", "n2": "tcp@198.51.100.1:7,tcp@198.51.100.2:7", "n3": "tcp\\r\\nX-Evil: 1"} {
			body := strings.NewReplacer(`"n1"`, `"`+id+`"`, `"text":"TEXT"`, `"geerpc":"`+said+`"`).Replace(registration)
			req := httptest.NewRequestWithContext(r.Context(), http.MethodPost, "/eureka/apps/WEB", strings.NewReader(body))
			req.Header.Set("Content-Type", "application/json")
			answer := httptest.NewRecorder()
			r.api.ServeHTTP(answer, req)
			r.equal("registration of "+id, answer.Code, http.StatusNoContent)
		}
		r.wantServers("tcp@n1:80")
	})
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

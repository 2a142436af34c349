package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
)

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
		for id, said := range map[string]string{"n1": "tcp", "n2": "tcp@198.51.100.1:7,tcp@198.51.100.2:7", "n3": "tcp\\r\\nX-Evil: 1", "n4": "https"} {
			change := []string{`"n1"`, `"` + id + `"`, `"text":"TEXT"`, `"geerpc":"` + said + `"`}
			if said == "https" {
				change = append(change, `"port":{"$":80,"@enabled":"true"}`, `"port":{"$":80,"@enabled":"false"},"securePort":{"$":8443,"@enabled":"true"}`)
			}
			body := strings.NewReplacer(change...).Replace(registration)
			req := httptest.NewRequestWithContext(r.Context(), http.MethodPost, "/eureka/apps/WEB", strings.NewReader(body))
			req.Header.Set("Content-Type", "application/json")
			answer := httptest.NewRecorder()
			r.api.ServeHTTP(answer, req)
			r.equal("registration of "+id, answer.Code, http.StatusNoContent)
		}
		r.wantServers("https@n4:8443,tcp@n1:80")
	})
}

package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
)

const asPeer = "X-Netflix-Discovery-Replication: true"

// startClaimed serves ORDERS/i1, a pod at 10.0.0.5, where names belong to pods.
// Requests come from elsewhere. A registration of the pod's on another port is
// ORDERS/second.
func startClaimed(t *testing.T, configure func(*Config)) *server {
	t.Helper()
	s := run(t, func(s *server, config *Config) {
		s.leases = lease.NewStore(lease.Config{Registry: s.registry, Mode: lease.ModeOn, ClaimNames: true, Threshold: 0.85, Ceiling: time.Hour})
		config.Leases = s.leases
		configure(config)
	})
	s.open()
	s.change("shop/orders-1/uid", inst("ORDERS", "i1"))
	second := inst("ORDERS", "second")
	second.Port.Number = 9090
	if err := s.leases.Register(t.Context(), second, sender(&http.Request{RemoteAddr: "10.0.0.5:4711"}), false); err != nil {
		t.Fatal(err)
	}
	s.settle()
	return s
}

func TestAStrangerPosesAsAPeer(t *testing.T) {
	ofPod := fields{"hostName": "10.0.0.5", "ipAddr": "10.0.0.5"}
	body := registration("ORDERS", "x").with(ofPod).document(t)
	item := item("Register", fields{"appName": "ORDERS", "id": "x", "instanceInfo": registration("ORDERS", "x").with(ofPod)})

	s := startClaimed(t, func(*Config) {})
	a := s.send("POST", "/eureka/apps/ORDERS", body, contentJSON, asPeer)
	if a.StatusCode != http.StatusForbidden || !strings.Contains(a.text, "the request came from 192.0.2.1") {
		t.Errorf("answer to who says that it is a peer = %d %q, want 403 that says why", a.StatusCode, a.text)
	}
	if got := s.replicate(item); got[0].StatusCode != http.StatusForbidden {
		t.Errorf("result of who sends a batch = %d, want 403", got[0].StatusCode)
	}

	s = startClaimed(t, func(config *Config) { config.Users = users(t) })
	s.listen()
	s.url = strings.Replace(s.url, "http://", "http://plain:pass%3Aword@", 1)
	s.want(s.send("POST", "/eureka/apps/ORDERS", body, contentJSON, asPeer), http.StatusNoContent)
	if got := s.replicate(item); got[0].StatusCode != http.StatusOK {
		t.Errorf("result of a user's batch = %d, want 200", got[0].StatusCode)
	}
}

// TestFieldCase87_AStrangerDoesNotCancelAPod also tries the other writes, on the
// pod and on what the pod registered besides.
func TestFieldCase87_AStrangerDoesNotCancelAPod(t *testing.T) {
	requests := []struct{ name, method, path string }{
		{"cancel", "DELETE", ""},
		{"override", "PUT", "/status?value=DOWN"},
		{"remove the override", "DELETE", "/status?value=DOWN"},
		{"metadata", "PUT", "/metadata?stranger=was-here"},
	}
	for _, id := range []string{"i1", "second"} {
		for _, tt := range requests {
			t.Run(tt.name+" "+id, func(t *testing.T) {
				s := startClaimed(t, func(*Config) {})
				before := *s.listed()["ORDERS/"+id]
				a := s.do(tt.method, "/eureka/apps/Orders/"+id+tt.path, asPeer)
				if a.StatusCode != http.StatusForbidden || !strings.Contains(a.text, "192.0.2.1, which is not the address of a pod with the app name ORDERS") {
					t.Errorf("answer to a stranger = %d %q, want 403 that says why", a.StatusCode, a.text)
				}
				if after := s.listed()["ORDERS/"+id]; after == nil || !after.SameDescription(&before) {
					t.Errorf("listed = %+v, want what was before", after)
				}
				s.want(s.do(tt.method, "/eureka/apps/ORDERS/absent"+tt.path), http.StatusNotFound)

				pod := inst("ORDERS", "here")
				pod.IPAddr, pod.HostName = "192.0.2.1", "192.0.2.1"
				s.registry.Replace(registry.OwnerPod, "shop/here/uid", registry.Listed(pod, endpoints(pod)...))
				s.want(s.do(tt.method, "/eureka/apps/ORDERS/"+id+tt.path), http.StatusOK)
			})
		}
	}
}

func TestAStrangersBatchLeavesPodsAlone(t *testing.T) {
	s := startClaimed(t, func(*Config) {})
	about := func(action, id string, others fields) fields {
		return item(action, fields{"appName": "ORDERS", "id": id}).with(others)
	}
	got := s.replicate(
		about("Cancel", "i1", nil),
		about("StatusUpdate", "i1", fields{"status": "DOWN"}),
		about("DeleteStatusOverride", "i1", fields{"status": "DOWN"}),
		about("Cancel", "second", nil),
	)
	for i, result := range got {
		if result.StatusCode != http.StatusForbidden {
			t.Errorf("result %d = %d, want 403", i, result.StatusCode)
		}
	}
	// A heartbeat is well from anywhere, but not what it says besides.
	s.replicate(about("Heartbeat", "second", fields{"lastDirtyTimestamp": 1 << 50, "overriddenStatus": "DOWN"}))
	s.do("PUT", "/eureka/apps/ORDERS/second?lastDirtyTimestamp=999999999999999&overriddenstatus=DOWN", asPeer)
	for _, id := range []string{"i1", "second"} {
		if inst := s.listed()["ORDERS/"+id]; inst == nil || inst.Status != eureka.StatusUp {
			t.Errorf("%s = %+v, want UP", id, inst)
		}
	}
}

func TestUsersWriteToPods(t *testing.T) {
	s := startClaimed(t, func(config *Config) { config.Users = users(t) })
	s.listen()
	s.url = strings.Replace(s.url, "http://", "http://hashed:s3cret@", 1)
	s.want(s.do("PUT", "/eureka/apps/ORDERS/i1/status?value=OUT_OF_SERVICE"), http.StatusOK)
	if got := s.listed()["ORDERS/i1"].Status; got != eureka.StatusOutOfService {
		t.Errorf("the pod is %s, want OUT_OF_SERVICE", got)
	}
}

// TestAStrangerIsNotFoundByThePodsNames reads where clients look.
func TestAStrangerIsNotFoundByThePodsNames(t *testing.T) {
	s := startClaimed(t, func(*Config) {})
	for name, evil := range map[string]fields{
		"VIP":        registration("EVIL", "x").with(fields{"vipAddress": "evil,orders"}),
		"secure VIP": registration("EVIL", "x").with(fields{"secureVipAddress": "orders"}),
		"id":         registration("EVIL", "i1"),
	} {
		t.Run(name, func(t *testing.T) {
			s.want(s.send("POST", "/eureka/apps/EVIL", evil.document(t), contentJSON), http.StatusForbidden)
			s.settle()
			for _, path := range []string{"/vips/orders", "/svips/orders", "/instances/i1"} {
				if a := s.get("/eureka"+path, acceptJSON); strings.Contains(a.text, "EVIL") || !strings.Contains(a.text, "ORDERS") {
					t.Errorf("GET %s = %s, want the pod", path, a.text)
				}
			}
		})
	}
}

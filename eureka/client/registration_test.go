package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// mine is what a program says of itself at least.
var mine = eureka.Instance{App: "orders", HostName: "orders-1", IPAddr: "192.0.2.7", Port: eureka.Port{Number: 8080, Enabled: true}}

const mineID = "orders-1:orders:8080"

// register runs the registration of mine until the returned function is called,
// which gives what Run returned.
func register(t *testing.T, s *client.Servers) (r *client.Registration, stop func() error) {
	t.Helper()
	r, err := client.NewRegistration(s, &mine)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() { _ = stop() })
	return r, stop
}

// status is the status of mine as the server shows it, "" when it is not listed.
func (e *eurekube) status() eureka.Status {
	if inst := e.publisher.Current().InstanceByID(mineID); inst != nil {
		return inst.Status
	}
	return ""
}

func TestRegistrationLivesAsLongAsItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, n := startEurekube(t), newNetwork()
		n.serve("a", e)
		_, stop := register(t, servers(t, n, "a"))
		for range 20 {
			synctest.Wait()
			if got := e.status(); got != eureka.StatusUp {
				t.Fatalf("status after %d requests = %q, want UP", len(n.log()), got)
			}
			time.Sleep(30 * time.Second)
		}
		posts := n.count("a POST ")
		puts := n.count("a PUT ")
		if posts != 1 || puts < 20 || puts > 23 {
			t.Errorf("in ten minutes %d registrations and %d renewals, want 1 and one for each interval of 27 to 30 s", posts, puts)
		}
		if err := stop(); err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
		if got := e.status(); got != "" {
			t.Errorf("status after the end = %q, want that it is gone", got)
		}
	})
}

func TestChangesAreRegisteredAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, n := startEurekube(t), newNetwork()
		n.serve("a", e)
		r, _ := register(t, servers(t, n, "a"))
		synctest.Wait()
		r.UpdateStatus(eureka.StatusDown)
		synctest.Wait()
		if got := e.status(); got != eureka.StatusDown {
			t.Errorf("status = %q, want DOWN", got)
		}
		r.UpdateStatus(eureka.StatusUp)
		r.SetMetadata(map[string]string{"zone": "b"})
		synctest.Wait()
		got := e.publisher.Current().InstanceByID(mineID)
		if diff := cmp.Diff(map[string]string{"zone": "b"}, got.Metadata); diff != "" || got.Status != eureka.StatusUp {
			t.Errorf("status %s, metadata (-want +got):\n%s", got.Status, diff)
		}
		if puts := n.count("a PUT "); puts != 0 {
			t.Errorf("%d renewals of what the server did not have", puts)
		}
		before := len(n.log())
		r.SetMetadata(map[string]string{"zone": "b"})
		r.UpdateStatus(eureka.StatusUp)
		synctest.Wait()
		if len(n.log()) != before {
			t.Errorf("what is so already was sent: %q", n.log()[before:])
		}
	})
}

func TestRegistersAgainWhenForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		n.serve("a", startEurekube(t))
		register(t, servers(t, n, "a"))
		synctest.Wait()
		restarted := startEurekube(t)
		n.serve("a", restarted)
		time.Sleep(30 * time.Second)
		synctest.Wait()
		if got := restarted.status(); got != eureka.StatusUp {
			t.Errorf("status one interval after the server's restart = %q, want UP", got)
		}
	})
}

func TestRegistrationBacksOffAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, n := startEurekube(t), newNetwork()
		register(t, servers(t, n, "a"))
		time.Sleep(time.Hour)
		tries := len(n.log())
		if tries < 120 || tries > 260 {
			t.Errorf("%d tries in an hour without a server, want one in each 15 to 30 s", tries)
		}
		n.serve("a", e)
		time.Sleep(30 * time.Second)
		synctest.Wait()
		if got := e.status(); got != eureka.StatusUp {
			t.Errorf("status 30 s after the server's start = %q, want UP", got)
		}
	})
}

func TestRegistrationGoesToTheNextServer(t *testing.T) {
	answers := func(status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	tests := []struct {
		name  string
		first http.Handler
	}{
		{"refuses connections", nil},
		{"ill", answers(http.StatusInternalServerError)},
		{"not ready", answers(http.StatusServiceUnavailable)},
		{"no Eureka server", answers(http.StatusNotFound)},
		{"other credentials", answers(http.StatusUnauthorized)},
		{"redirects", http.RedirectHandler("http://c/eureka/apps", http.StatusTemporaryRedirect)},
		{"hangs", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, n := startEurekube(t), newNetwork()
				n.serve("a", tt.first)
				n.serve("b", e)
				register(t, servers(t, n, "a", "b"))
				time.Sleep(10*time.Minute + time.Second)
				synctest.Wait()
				if got := e.status(); got != eureka.StatusUp {
					t.Errorf("status = %q, want UP", got)
				}
				if first := n.count("a "); first != 1 {
					t.Errorf("%d requests to the server that failed, want 1 while the other answers", first)
				}
				if n.count("c ") != 0 {
					t.Error("a redirect was followed")
				}
			})
		})
	}
}

func TestRefusedRegistrationDoesNotWander(t *testing.T) {
	for _, status := range []int{http.StatusBadRequest, http.StatusForbidden, http.StatusRequestEntityTooLarge} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e, n := startEurekube(t), newNetwork()
				n.serve("a", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
				n.serve("b", e)
				register(t, servers(t, n, "a", "b"))
				synctest.Wait()
				if diff := cmp.Diff([]string{"a POST /eureka/apps/ORDERS"}, n.log()); diff != "" {
					t.Errorf("requests (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestDeregisteringIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, n := startEurekube(t), newNetwork()
		n.serve("a", e)
		_, stop := register(t, servers(t, n, "a"))
		synctest.Wait()
		n.serve("a", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		start := time.Now()
		err := stop()
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("Run returned %v after its context, want 5 s at most", took)
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Run = %v, want that it ran out of time", err)
		}
	})
}

func TestNothingIsDeregisteredThatNeverWasRegistered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		r, err := client.NewRegistration(servers(t, n, "a"), &mine)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := r.Run(ctx); err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
		if len(n.log()) != 0 {
			t.Errorf("requests = %q", n.log())
		}
	})
}

func TestOneRunAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, n := startEurekube(t), newNetwork()
		n.serve("a", e)
		r, stop := register(t, servers(t, n, "a"))
		synctest.Wait()
		if err := r.Run(t.Context()); !errors.Is(err, client.ErrRunning) {
			t.Errorf("second Run = %v, want ErrRunning", err)
		}
		if err := stop(); err != nil {
			t.Errorf("first Run = %v, want nil", err)
		}
	})
}

// reached is the least instance that can be registered, changed by change.
func reached(change func(*eureka.Instance)) eureka.Instance {
	inst := eureka.Instance{App: "a", HostName: "h", IPAddr: "1"}
	change(&inst)
	return inst
}

func TestNewRegistration(t *testing.T) {
	s, err := client.NewServers(client.Config{ServiceURLs: []string{"http://a/eureka"}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		inst eureka.Instance
		want string // the id, or the error
	}{
		{"least", mine, mineID},
		{"own id", eureka.Instance{ID: "x/y", App: "a", HostName: "h", IPAddr: "1"}, "x/y"},
		{"no port", eureka.Instance{App: "a", HostName: "h", IPAddr: "1"}, "h:a:7001"},
		{"secure port alone", eureka.Instance{App: "a", HostName: "h", IPAddr: "1", SecurePort: eureka.Port{Number: 8443, Enabled: true}}, "h:a:8443"},
		{"no app", eureka.Instance{HostName: "h", IPAddr: "1"}, "instance without App"},
		{"no host", eureka.Instance{App: "a", IPAddr: "1"}, "instance without HostName"},
		{"no address", eureka.Instance{App: "a", HostName: "h"}, "instance without IPAddr"},
		{"port that is none", reached(func(i *eureka.Instance) { i.Port = eureka.Port{Number: 99999, Enabled: true} }), "Port.Number is 99999: want 1 to 65535"},
		{"port without a number", reached(func(i *eureka.Instance) { i.Port = eureka.Port{Enabled: true} }), "Port.Number is 0: want 1 to 65535"},
		{"disabled port that is none", reached(func(i *eureka.Instance) { i.Port.Number = -1 }), "Port.Number is -1: want 0 to 65535"},
		{"secure port that is none", reached(func(i *eureka.Instance) { i.SecurePort = eureka.Port{Number: 65536, Enabled: true} }), "SecurePort.Number is 65536: want 1 to 65535"},
		{"secure port without a number", reached(func(i *eureka.Instance) { i.SecurePort.Enabled = true }), "SecurePort.Number is 0: want 1 to 65535"},
		{"highest port", reached(func(i *eureka.Instance) { i.Port = eureka.Port{Number: 65535, Enabled: true} }), "h:a:65535"},
		{"negative interval", reached(func(i *eureka.Instance) { i.Lease.RenewalIntervalInSecs = -1 }), "Lease.RenewalIntervalInSecs is -1: want 0 to 2147483647"},
		{"negative duration", reached(func(i *eureka.Instance) { i.Lease.DurationInSecs = -1 }), "Lease.DurationInSecs is -1: want 0 to 2147483647"},
		{"status that is none", reached(func(i *eureka.Instance) { i.Status = "HEALTHY" }), `Status is "HEALTHY": want one of [DOWN OUT_OF_SERVICE STARTING UNKNOWN UP]`},
		{"override that is none", reached(func(i *eureka.Instance) { i.OverriddenStatus = "NONE" }), `OverriddenStatus is "NONE": want one of [DOWN OUT_OF_SERVICE STARTING UNKNOWN UP]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := client.NewRegistration(s, &tt.inst)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = r.Instance().ID
			}
			if got != tt.want {
				t.Errorf("NewRegistration(%+v) = %q, want %q", tt.inst, got, tt.want)
			}
		})
	}
}

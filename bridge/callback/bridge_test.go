package callback

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/lease"
)

func TestRegister_TellsTheNewcomerBeforeItIsAnswered(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		log := r.start(1, "LogService")
		log.register()
		grades := r.start(2, "GradingService", "LogService")

		answer := r.send(http.MethodPost, grades.registration())
		// Nothing may go on after the answer for this to hold.
		grades.mu.Lock()
		defer grades.mu.Unlock()
		if answer.Code != http.StatusOK || len(grades.patches) != 1 {
			r.Fatalf("answered %d after patches %q, want 200 after one", answer.Code, grades.patches)
		}
		const want = `{"Added":[{"Name":"LogService","URL":"http://10.0.0.1:4000"}],"Removed":[]}`
		if grades.patches[0] != want {
			r.Errorf("patch %s, want %s", grades.patches[0], want)
		}
	})
}

func TestRegister_TellsWhoeverRequiresTheNewcomer(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		grades := r.start(1, "GradingService", "logservice", "LogService")
		other := r.start(2, "TeacherPortal", "GradingService")
		grades.register()
		other.register()
		grades.expectPatches()
		other.expectPatches("+GradingService=http://10.0.0.1:4000")

		r.start(3, "LogService").register()
		grades.expectPatches("+logservice=http://10.0.0.3:4000 +LogService=http://10.0.0.3:4000")
		other.expectPatches()
	})
}

func TestRegister_TheSameServiceURLIsOneRegistration(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		portal := r.start(1, "Portal", "Log", "Journal")
		portal.register()
		log := r.start(2, "Log")
		log.register()
		portal.expectPatches("+Log=http://10.0.0.2:4000")

		log.register() // a restart that nobody noticed
		portal.expectPatches()
		r.expectListed("LOG", "10.0.0.2:4000")

		log.name = "Journal"
		log.register()
		portal.expectPatches("+Journal=http://10.0.0.2:4000 -Log=http://10.0.0.2:4000")
		r.expectListed("LOG")
		r.expectListed("JOURNAL", "10.0.0.2:4000")

		portal.register() // it began anew and knows nothing
		portal.expectPatches("+Journal=http://10.0.0.2:4000")
		r.expectListed("PORTAL", "10.0.0.1:4000")
	})
}

func TestRegister_EchoesTheServiceURLAsItWasWritten(t *testing.T) {
	inBubble(t, func(_ *lease.Config, c *Config) { c.Targets = prefixes("127.0.0.0/8", "10.0.0.0/8") }, func(r *rig) {
		r.bridge.calls.dialer.resolve = names{"localhost": {"127.0.0.1"}}.lookup
		var beats atomic.Int64
		r.serve(r.T, "127.0.0.1:4000", http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
			if request.URL.Path == "/heartbeat" {
				beats.Add(1)
			}
		}))
		portal := r.start(1, "Portal", "LogService")
		portal.register()
		r.expect(http.MethodPost, `{"ServiceName":"LogService","ServiceURL":"http:localhost:4000","RequiredServices":[],
			"ServiceUpdateURL":"http:localhost:4000/services","HeartbeatURL":"http:localhost:4000/heartbeat"}`, http.StatusOK)
		portal.expectPatches("+LogService=http:localhost:4000")
		time.Sleep(probeInterval)
		if beats.Load() == 0 {
			r.Error("http:localhost:4000/heartbeat was not called")
		}
		// Other machines call the one that it registered from.
		instances, _ := r.bridge.config.Snapshot().Instances("LOGSERVICE")
		if len(instances) != 1 || instances[0].HostName != "10.0.0.9" || instances[0].IPAddr != "10.0.0.9" || instances[0].Port.Number != 4000 {
			r.Errorf("listed as %+v, want it at 10.0.0.9:4000", instances)
		}
		r.expect(http.MethodDelete, "http://LOCALHOST:4000/", http.StatusOK)
		portal.expectPatches("-LogService=http:localhost:4000")
	})
}

func TestRegister_IsSeenByEurekaClients(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		log := r.start(1, "LogService")
		log.register()
		instances, _ := r.bridge.config.Snapshot().Instances("LOGSERVICE")
		if len(instances) != 1 {
			r.Fatalf("%d instances, want one as soon as the POST is answered", len(instances))
		}
		got := *instances[0]
		got.Lease, got.LastUpdatedTimestamp, got.LastDirtyTimestamp = eureka.Lease{}, 0, 0
		want := eureka.Instance{
			ID: "10.0.0.1:4000", HostName: "10.0.0.1", App: "LOGSERVICE", IPAddr: "10.0.0.1", ActionType: eureka.ActionAdded,
			Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
			Port: eureka.Port{Number: 4000, Enabled: true}, SecurePort: eureka.Port{Number: eureka.DefaultSecurePort},
			CountryID: 1, DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
			Metadata:       map[string]string{"service-url": "http://10.0.0.1:4000"},
			HomePageURL:    "http://10.0.0.1:4000",
			HealthCheckURL: "http://10.0.0.1:4000/heartbeat",
			VIPAddress:     "logservice", SecureVIPAddress: "logservice",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			r.Errorf("instance (-want +got):\n%s", diff)
		}
	})
}

func TestDeregister(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		portal := r.start(1, "Portal", "Log")
		portal.register()
		log := r.start(2, "Log")
		log.register()
		portal.expectPatches("+Log=http://10.0.0.2:4000")

		r.expect(http.MethodDelete, log.url(), http.StatusOK)
		portal.expectPatches("-Log=http://10.0.0.2:4000")
		r.expectListed("LOG")
		r.expect(http.MethodDelete, log.url(), http.StatusBadRequest)
		before := log.probed()
		time.Sleep(10 * probeInterval)
		if log.probed() != before {
			r.Errorf("%d probes after the DELETE, want none", log.probed()-before)
		}
	})
}

func TestProviders_IncludePodsAndEurekaInstances(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		end := r.pod(1, "orders")
		r.settle()
		portal := r.start(1, "Portal", "Orders")
		portal.register()
		portal.expectPatches("+Orders=http://10.1.0.1:8080")

		r.pod(2, "orders")
		portal.expectPatches("+Orders=http://10.1.0.2:8080")
		end()
		portal.expectPatches("-Orders=http://10.1.0.1:8080")

		own := &eureka.Instance{ID: "own", HostName: "machine", App: "ORDERS", IPAddr: "fd00::7", SecurePort: eureka.Port{Number: 8443, Enabled: true}}
		if err := r.leases.Register(r.Context(), own, portalAddress, false); err != nil {
			r.Fatal(err)
		}
		portal.expectPatches("+Orders=https://[fd00::7]:8443")
		if err := r.leases.Override(r.Context(), "ORDERS", "own", eureka.StatusOutOfService, lease.Dirty{}, false); err != nil {
			r.Fatal(err)
		}
		portal.expectPatches("-Orders=https://[fd00::7]:8443")
	})
}

// A service that runs in a pod of its name is one instance with it, from its first
// probe on to its end.
func TestRegister_FromAPodIsOneInstanceWithIt(t *testing.T) {
	inBubble(t, func(l *lease.Config, _ *Config) { l.Mode = lease.ModePodsOnly }, func(r *rig) {
		r.pod(1, "orders")
		r.settle()
		orders := r.inPod(1, "Orders")
		r.expectListed("ORDERS", "10.1.0.1:orders:8080")

		orders.stop() // the program does not answer, though the pod is ready
		time.Sleep(givenUp)
		r.expectListed("ORDERS")
		orders.listen()
		time.Sleep(givenUp)
		r.expectListed("ORDERS", "10.1.0.1:orders:8080")
	})
}

// A pod that is being stopped is gone at once, though its program still answers; and
// what has its address afterwards is something else.
func TestRegister_FromAPodEndsWithIt(t *testing.T) {
	tests := []struct {
		name   string
		before func(p *program)
	}{
		{name: "before it was probed", before: nil},
		{name: "while it answers", before: func(*program) {}},
		{name: "when it does not answer any more", before: func(p *program) { p.stop() }},
		{name: "under watch", before: func(p *program) { p.stop(); time.Sleep(givenUp) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				end := r.pod(1, "orders")
				r.settle()
				orders := r.inPod(1, "Orders")
				if tt.before != nil {
					time.Sleep(probeInterval + probeTick)
					tt.before(orders)
				}
				end()
				r.expectListed("ORDERS")
				time.Sleep(givenUp)
				orders.listen()
				time.Sleep(time.Minute)
				r.expectListed("ORDERS")
				r.expectMetric("eurekube_callback_services", "watch", 0)
			})
		})
	}
}

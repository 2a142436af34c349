package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// TestRegistersAgainAtOnceAfterARestart has a server come back that knows pods at
// most. Long before the next renewal it lists the program again.
func TestRegistersAgainAtOnceAfterARestart(t *testing.T) {
	tests := []struct {
		name     string
		like     func(http.Handler) http.Handler
		pods     []*eureka.Instance
		interval time.Duration
		away     time.Duration
		within   time.Duration // after the server is back
	}{
		{"stream", as, []*eureka.Instance{instance("STOCK", "1")}, 0, 6 * time.Second, 9 * time.Second},
		{"stream, nobody is listed", as, nil, 0, 6 * time.Second, 9 * time.Second},
		{"delta", plain, []*eureka.Instance{instance("STOCK", "1")}, 2 * time.Second, 6 * time.Second, 3 * time.Second},
		{"delta, nobody is listed", plain, nil, 2 * time.Second, 6 * time.Second, 3 * time.Second},
		{"the registration backs off", as, []*eureka.Instance{instance("STOCK", "1")}, time.Second, 10 * time.Minute, 2 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				n.serve("a", tt.like(startEurekube(t, tt.pods...)))
				s := servers(t, n, "a")
				register(t, s)
				synctest.Wait()
				d := discover(t, s, client.DiscoveryConfig{Interval: tt.interval})
				time.Sleep(5 * time.Second)
				n.serve("a", nil)
				time.Sleep(tt.away)
				restarted := startEurekube(t, tt.pods...)
				n.serve("a", tt.like(restarted))
				time.Sleep(tt.within)
				synctest.Wait()
				if got := restarted.status(); got != eureka.StatusUp {
					t.Errorf("status %v after the server is back = %q, want UP", tt.within, got)
				}
				time.Sleep(tt.interval)
				synctest.Wait()
				if _, err := d.Pick("orders"); err != nil {
					t.Errorf("Pick = %v, want the instance itself", err)
				}
			})
		})
	}
}

// as leaves a server as it is.
func as(h http.Handler) http.Handler { return h }

func TestRegistersAgainAtOnceWhenSomebodyDeregistersIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, n := startEurekube(t, instance("STOCK", "1")), newNetwork()
		n.serve("a", e)
		s := servers(t, n, "a")
		_, stop := register(t, s)
		discover(t, s, client.DiscoveryConfig{})
		synctest.Wait()
		e.deregister(t)
		time.Sleep(time.Second)
		synctest.Wait()
		if got, posts := e.status(), n.count("a POST "); got != eureka.StatusUp || posts != 2 {
			t.Errorf("status a second after another deregistered it = %q with %d registrations, want UP by a second one", got, posts)
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if got := e.status(); got != "" {
			t.Errorf("status after it deregistered itself = %q, want that it is gone", got)
		}
	})
}

// deregister is somebody else who cancels mine.
func (e *eurekube) deregister(t *testing.T) {
	t.Helper()
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodDelete, "/eureka/apps/ORDERS/"+mineID, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("DELETE = %d, want 200", w.Code)
	}
}

// TestWhoIsNeverListedIsNotWoken has a server that takes the instance and lists it
// under no name that it knows, as one does whose pod is listed already.
func TestWhoIsNeverListedIsNotWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads atomic.Int64
		n := newNetwork()
		n.serve("a", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method != http.MethodGet: // 200
			case r.URL.Path == "/eureka/apps":
				list("", "", instance("STOCK", strconv.FormatInt(reads.Add(1), 10)))(w, r) // each list is another
			default:
				w.WriteHeader(http.StatusNotFound)
			}
		}))
		s := servers(t, n, "a")
		register(t, s)
		discover(t, s, client.DiscoveryConfig{Interval: time.Second})
		time.Sleep(10 * time.Minute)
		if puts := n.count("a PUT "); puts < 20 || puts > 23 || reads.Load() < 500 {
			t.Errorf("%d renewals in ten minutes with %d lists, want one for each interval of 27 to 30 s", puts, reads.Load())
		}
	})
}

// TestEveryRegistrationOfTheServersIsWoken has two instances in one process, one of
// which ended.
func TestEveryRegistrationOfTheServersIsWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		n.serve("a", startEurekube(t))
		s := servers(t, n, "a")
		register(t, s)
		for _, host := range []string{"orders-2", "orders-3"} {
			r, err := client.NewRegistration(s, &eureka.Instance{App: "orders", HostName: host, IPAddr: "192.0.2.7"})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if host == "orders-3" {
				time.AfterFunc(time.Second, cancel)
			}
			background(t, func(context.Context) error { return r.Run(ctx) })
		}
		discover(t, s, client.DiscoveryConfig{})
		time.Sleep(5 * time.Second)
		restarted := startEurekube(t)
		n.serve("a", restarted)
		time.Sleep(5 * time.Second)
		synctest.Wait()
		var got []string
		for _, app := range restarted.listed(t) {
			got = append(got, ids(app.Instances)...)
		}
		if len(got) != 2 {
			t.Errorf("instances 5 s after the restart = %q, want the two that still run", got)
		}
	})
}

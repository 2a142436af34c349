package client_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// modes are servers of ours that have all they have, or less.
var modes = []struct {
	mode    client.Mode
	without func(http.Handler) http.Handler
	// late is how long after a change the client may still not know it.
	late time.Duration
}{
	{client.ModeStream, func(h http.Handler) http.Handler { return h }, 300 * time.Millisecond},
	{client.ModeLongPoll, func(h http.Handler) http.Handler { return lacking(h, "/stream") }, 3 * time.Second},
	{client.ModeDelta, plain, 31 * time.Second},
	{client.ModeFull, func(h http.Handler) http.Handler { return lacking(plain(h), "/delta") }, 31 * time.Second},
}

// lacking is h without the routes that end in suffix.
func lacking(h http.Handler, suffix string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, suffix) {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		h.ServeHTTP(w, r)
	})
}

// TestEveryModeHoldsWhatTheServerLists changes pods at random, with a restart of
// the server and a cut in between.
func TestEveryModeHoldsWhatTheServerLists(t *testing.T) {
	for _, tt := range modes {
		t.Run(string(tt.mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, 2))
				e, n := startEurekube(t, instance("ORDERS", "0")), newNetwork()
				n.serve("a", tt.without(e))
				d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
				for step := range 60 {
					for range 1 + random.IntN(20) {
						pod := instance(string('A'+rune(random.IntN(3))), fmt.Sprint(random.IntN(8)))
						pod.Status = eureka.Statuses[random.IntN(len(eureka.Statuses))]
						if random.IntN(3) == 0 {
							e.drop(pod)
						} else {
							e.list(pod)
						}
						time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
					}
					switch step {
					case 20:
						n.serve("a", nil)
						time.Sleep(time.Minute)
						n.serve("a", tt.without(e))
					case 40:
						e = startEurekube(t, instance("A", "1"), instance("B", "2"))
						n.serve("a", tt.without(e))
					}
					time.Sleep(tt.late)
					if step == 20 || step == 40 {
						time.Sleep(time.Minute)
					}
					synctest.Wait()
					e.follows(t, d)
				}
				if got := d.Stats(); got.Mode != tt.mode {
					t.Errorf("Stats = %+v, want mode %s", got, tt.mode)
				}
			})
		})
	}
}

// follows checks that a discovery holds what the server lists.
func (e *eurekube) follows(t *testing.T, d *client.Discovery) {
	t.Helper()
	want, got := map[string]eureka.Status{}, map[string]eureka.Status{}
	for _, app := range d.Applications() {
		for _, inst := range app.Instances {
			got[app.Name+"/"+inst.ID] = inst.Status
		}
	}
	for _, app := range e.listed(t) {
		for _, inst := range app.Instances {
			want[app.Name+"/"+inst.ID] = inst.Status
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("instances (-server +client):\n%s", diff)
	}
}

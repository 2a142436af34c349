package client_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// plain is h as a server of Netflix's or Spring's would be: without a stream,
// a long poll or a token.
func plain(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/stream") {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		r = r.Clone(r.Context())
		r.URL.RawQuery = ""
		h.ServeHTTP(tokenless{w}, r)
	})
}

type tokenless struct{ http.ResponseWriter }

func (w tokenless) WriteHeader(status int) {
	w.Header().Del("Eurekube-Token")
	w.ResponseWriter.WriteHeader(status)
}

func (w tokenless) Write(p []byte) (int, error) {
	w.Header().Del("Eurekube-Token")
	return w.ResponseWriter.Write(p)
}

// discover runs a discovery until the test ends.
func discover(t *testing.T, s *client.Servers, config client.DiscoveryConfig) *client.Discovery {
	t.Helper()
	d := client.NewDiscovery(s, config)
	background(t, d.Run)
	return d
}

func TestDiscoveryByDelta(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two := instance("ORDERS", "1"), instance("ORDERS", "2")
		e, n := startEurekube(t, one), newNetwork()
		n.serve("a", plain(e))
		d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
		if err := d.WaitReady(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			name   string
			change func()
			want   []string
		}{
			{"at first", func() {}, []string{"1"}},
			{"one more", func() { e.list(two) }, []string{"1", "2"}},
			{"one is down", func() {
				e.list(with(instance("ORDERS", "1"), func(i *eureka.Instance) { i.Status = eureka.StatusDown }))
			}, []string{"2"}},
			{"one is gone", func() { e.drop(one) }, []string{"2"}},
			{"all are gone", func() { e.drop(two) }, nil},
			{"one is back", func() { e.list(one) }, []string{"1"}},
		} {
			step.change()
			time.Sleep(31 * time.Second)
			synctest.Wait()
			if diff := cmp.Diff(step.want, ids(d.Instances("orders"))); diff != "" {
				t.Errorf("%s: instances (-want +got):\n%s", step.name, diff)
			}
		}
		stats := d.Stats()
		if want := (client.Stats{Mode: client.ModeDelta, FullReads: 1, Deltas: stats.Deltas}); stats != want || stats.Deltas < 6 {
			t.Errorf("Stats = %+v, want the first full list alone and then deltas", stats)
		}
	})
}

func TestBeforeTheFirstList(t *testing.T) {
	d := client.NewDiscovery(servers(t, newNetwork(), "a"), client.DiscoveryConfig{})
	if d.Ready() || d.Age() != 0 || d.Instances("ORDERS") != nil || d.InstancesOfVIP("orders") != nil || d.Applications() != nil {
		t.Error("it knows something before the first list")
	}
	if _, err := d.Pick("ORDERS"); !errors.Is(err, client.ErrNotReady) {
		t.Errorf("Pick = %v, want ErrNotReady", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.WaitReady(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("WaitReady = %v, want that its context ended", err)
	}
}

func TestLookups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, n := startEurekube(t,
			with(instance("ORDERS", "1"), func(i *eureka.Instance) { i.VIPAddress, i.SecureVIPAddress = "orders,shop", "safe" }),
			with(instance("ORDERS", "2"), func(i *eureka.Instance) { i.Status = eureka.StatusDown }),
			with(instance("CART", "3"), func(i *eureka.Instance) { i.VIPAddress = "Shop,shop" }),
		), newNetwork()
		n.serve("a", e)
		d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
		synctest.Wait()
		var all []string
		for _, app := range d.Applications() {
			all = append(all, app.Name+" "+strings.Join(ids(app.Instances), " "))
		}
		for _, lookup := range []struct {
			name      string
			got, want []string
		}{
			{"Instances", ids(d.Instances("orders")), []string{"1"}},
			{"Instances of nobody", ids(d.Instances("nobody")), nil},
			{"InstancesOfVIP", ids(d.InstancesOfVIP("SHOP")), []string{"3", "1"}},
			{"InstancesOfSecureVIP", ids(d.InstancesOfSecureVIP("safe")), []string{"1"}},
			{"Applications", all, []string{"CART 3", "ORDERS 1 2"}},
		} {
			if diff := cmp.Diff(lookup.want, lookup.got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", lookup.name, diff)
			}
		}
	})
}

func TestWatchSkipsWhatPassed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := instance("ORDERS", "1")
		e, n := startEurekube(t), newNetwork()
		n.serve("a", plain(e))
		d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{Interval: time.Second})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		var seen [][]string
		for instances := range d.Watch(ctx, "ORDERS") {
			seen = append(seen, ids(instances))
			switch len(seen) {
			case 1: // many changes while the loop's body runs
				for range 10 {
					e.list(one)
					time.Sleep(2 * time.Second)
					e.drop(one)
					time.Sleep(2 * time.Second)
				}
				e.list(one)
			case 2: // changes of others, and of clocks
				e.list(instance("CART", "2"))
				e.list(with(instance("ORDERS", "1"), func(i *eureka.Instance) { i.LastUpdatedTimestamp = 7 }))
			}
		}
		if diff := cmp.Diff([][]string{nil, {"1"}}, seen); diff != "" {
			t.Errorf("yielded (-want +got):\n%s", diff)
		}
	})
}

func TestWatchEndsWithItsLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, n := startEurekube(t, instance("ORDERS", "1")), newNetwork()
		n.serve("a", e)
		d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
		for instances := range d.WatchVIP(t.Context(), "orders") {
			if !slices.Equal(ids(instances), []string{"1"}) {
				t.Errorf("first = %q, want 1", ids(instances))
			}
			return
		}
	})
}

func TestListIsKeptWhileNoServerAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, n := startEurekube(t, instance("ORDERS", "1")), newNetwork()
		n.serve("a", e)
		d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
		synctest.Wait()
		n.serve("a", nil)
		time.Sleep(time.Hour)
		if diff := cmp.Diff([]string{"1"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("instances after an hour without a server (-want +got):\n%s", diff)
		}
		if age := d.Age(); age < 59*time.Minute || age > time.Hour {
			t.Errorf("Age = %v, want about an hour", age)
		}
		e.list(instance("ORDERS", "2"))
		n.serve("a", e)
		time.Sleep(31 * time.Second)
		synctest.Wait()
		if diff := cmp.Diff([]string{"1", "2"}, ids(d.Instances("ORDERS"))); diff != "" || d.Age() > 31*time.Second {
			t.Errorf("Age %v, instances after the server is back (-want +got):\n%s", d.Age(), diff)
		}
	})
}

func TestDiscoveryGoesToTheNextServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, n := startEurekube(t, instance("ORDERS", "1")), startEurekube(t, instance("ORDERS", "2")), newNetwork()
		n.serve("a", plain(a))
		n.serve("b", plain(b))
		d := discover(t, servers(t, n, "a", "b"), client.DiscoveryConfig{})
		synctest.Wait()
		first := ids(d.Instances("ORDERS"))
		n.serve("a", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
		time.Sleep(31 * time.Second)
		synctest.Wait()
		if diff := cmp.Diff([][]string{{"1"}, {"2"}}, [][]string{first, ids(d.Instances("ORDERS"))}); diff != "" {
			t.Errorf("instances before and after the first server fell ill (-want +got):\n%s", diff)
		}
		asked := n.count("a ")
		n.serve("a", plain(a))
		time.Sleep(time.Hour)
		if n.count("a ") != asked {
			t.Error("it left a server that answers")
		}
	})
}

// TestEmptyList shows when an empty list is believed: servers other than ours list
// nobody right after they start.
func TestEmptyList(t *testing.T) {
	tests := []struct {
		name  string
		after time.Duration
		want  []string
	}{
		{"at first not", 85 * time.Second, []string{"1"}},
		{"after a lease", 150 * time.Second, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				n.serve("a", plain(startEurekube(t, instance("ORDERS", "1"))))
				d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
				synctest.Wait()
				n.serve("a", nil)
				time.Sleep(time.Minute)
				n.serve("a", plain(startEurekube(t)))
				time.Sleep(tt.after)
				synctest.Wait()
				if diff := cmp.Diff(tt.want, ids(d.Instances("ORDERS"))); diff != "" {
					t.Errorf("instances (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// TestEmptyListAfterEachOfTwoRestarts has a server come and go: what it did not
// list an hour ago says nothing of now.
func TestEmptyListAfterEachOfTwoRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		n.serve("a", plain(startEurekube(t, instance("ORDERS", "1"))))
		d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
		for range 2 {
			time.Sleep(time.Minute)
			n.serve("a", nil)
			time.Sleep(time.Hour)
			n.serve("a", plain(startEurekube(t)))
		}
		time.Sleep(time.Minute)
		if diff := cmp.Diff([]string{"1"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("instances a minute after the second restart (-want +got):\n%s", diff)
		}
	})
}

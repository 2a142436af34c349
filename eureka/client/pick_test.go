package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// fleet is instances with metadata, by id "0", "1" and so on; nil metadata for none.
func fleet(metadata ...map[string]string) []*eureka.Instance {
	var all []*eureka.Instance
	for i, m := range metadata {
		all = append(all, with(instance("ORDERS", fmt.Sprint(i)), func(inst *eureka.Instance) { inst.Metadata = m }))
	}
	return all
}

// shares are how many of 10,000 picks, in thousands, went to each instance.
func shares(p client.Picker, instances []*eureka.Instance) map[string]int {
	counts := map[string]int{}
	for range 10_000 {
		counts[p.Pick("ORDERS", instances).ID]++
	}
	for id, n := range counts {
		counts[id] = (n + 500) / 1000
	}
	return counts
}

func TestPickers(t *testing.T) {
	zone := func(z string) map[string]string { return map[string]string{"zone": z} }
	weight := func(w string) map[string]string { return map[string]string{client.WeightKey: w} }
	amazon := func(inst *eureka.Instance, z string) *eureka.Instance {
		inst.DataCenterInfo = eureka.DataCenterInfo{Name: eureka.DataCenterAmazon, Metadata: map[string]string{"availability-zone": z}}
		return inst
	}
	tests := []struct {
		name      string
		picker    client.Picker
		instances []*eureka.Instance
		want      map[string]int // thousands
	}{
		{"random", client.Random(), fleet(nil, nil), map[string]int{"0": 5, "1": 5}},
		{"round robin", client.RoundRobin(), fleet(nil, nil, nil, nil, nil), map[string]int{"0": 2, "1": 2, "2": 2, "3": 2, "4": 2}},
		{"one", client.Random(), fleet(nil), map[string]int{"0": 10}},
		{"zone", client.PreferZone("a", client.Random()), fleet(zone("b"), zone("a"), zone("a"), nil), map[string]int{"1": 5, "2": 5}},
		{"zone of Amazon", client.PreferZone("a", client.Random()), append(fleet(zone("b")), amazon(instance("ORDERS", "1"), "a")), map[string]int{"1": 10}},
		{"zone before that of Amazon", client.PreferZone("a", client.Random()), append(fleet(zone("a")), amazon(fleet(nil, zone("b"))[1], "a")), map[string]int{"0": 10}},
		{"nobody in the zone", client.PreferZone("c", client.RoundRobin()), fleet(zone("b"), zone("a")), map[string]int{"0": 5, "1": 5}},
		{"weighted", client.Weighted(), fleet(weight("3"), weight("1"), weight("6")), map[string]int{"0": 3, "1": 1, "2": 6}},
		{"fraction", client.Weighted(), fleet(weight("0.25"), weight("0.75")), map[string]int{"0": 3, "1": 8}}, // 2.5 and 7.5, rounded
		{"no weight is 1", client.Weighted(), fleet(nil, weight("4")), map[string]int{"0": 2, "1": 8}},
		{"nonsense is 1", client.Weighted(), fleet(weight("much"), weight("-1"), weight("NaN"), weight("Inf"), weight("1e9")), map[string]int{"0": 2, "1": 2, "2": 2, "3": 2, "4": 2}},
		{"nonsense beside a weight", client.Weighted(), fleet(weight("much"), weight("4")), map[string]int{"0": 2, "1": 8}},
		{"negative beside a weight", client.Weighted(), fleet(weight("-4"), weight("4")), map[string]int{"0": 2, "1": 8}},
		{"a million", client.Weighted(), fleet(weight("1000000"), weight("250000")), map[string]int{"0": 8, "1": 2}},
		{"weight 0", client.Weighted(), fleet(weight("0"), weight("1"), weight("0")), map[string]int{"1": 10}},
		{"all weight 0", client.Weighted(), fleet(weight("0"), weight("0")), map[string]int{"0": 5, "1": 5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := shares(tt.picker, tt.instances)
			for id, want := range tt.want {
				if d := got[id] - want; d < -1 || d > 1 {
					t.Errorf("thousands of picks = %v, want %v", got, tt.want)
					break
				}
			}
			for id := range got {
				if tt.want[id] == 0 {
					t.Errorf("%s was picked", id)
				}
			}
		})
	}
}

// TestRoundRobinIsFair counts exactly, with other names between and from many
// goroutines.
func TestRoundRobinIsFair(t *testing.T) {
	p, all := client.RoundRobin(), fleet(nil, nil, nil, nil)
	var mu sync.Mutex
	counts := map[string]int{}
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for range 100 {
				p.Pick("CART", all)
				id := p.Pick("ORDERS", all).ID
				mu.Lock()
				counts[id]++
				mu.Unlock()
			}
		})
	}
	callers.Wait()
	if diff := cmp.Diff(map[string]int{"0": 200, "1": 200, "2": 200, "3": 200}, counts); diff != "" {
		t.Errorf("picks (-want +got):\n%s", diff)
	}
}

// TestRoundRobinBeginsAnywhere has a hundred programs make their first choice of four
// instances: that all of them make the same one does not happen by chance.
func TestRoundRobinBeginsAnywhere(t *testing.T) {
	all, first := fleet(nil, nil, nil, nil), map[string]bool{}
	for range 100 {
		first[client.RoundRobin().Pick("ORDERS", all).ID] = true
	}
	if len(first) < 2 {
		t.Errorf("all programs begin with %v", first)
	}
}

// TestPreferZonePassesTheNameOn holds that the next picker knows what was asked for:
// RoundRobin has a turn for each name.
func TestPreferZonePassesTheNameOn(t *testing.T) {
	var got string
	next := client.PickerFunc(func(name string, instances []*eureka.Instance) *eureka.Instance {
		got = name
		return instances[0]
	})
	client.PreferZone("a", next).Pick("ORDERS", fleet(nil))
	if got != "ORDERS" {
		t.Errorf("next is asked for %q, want ORDERS", got)
	}
}

func TestPick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sick := func(i *eureka.Instance) { i.Status = eureka.StatusOutOfService }
		d, _ := started(t, startEurekube(t, instance("ORDERS", "1"), with(instance("ORDERS", "2"), sick), with(instance("CART", "3"), sick)), client.DiscoveryConfig{})
		tests := []struct {
			name string
			pick func(string) (*eureka.Instance, error)
			of   string
			want string // the id, or the error
		}{
			{"UP alone", d.Pick, "orders", "1"},
			{"none UP", d.Pick, "CART", `"CART": none of 1 listed is UP`},
			{"unknown", d.Pick, "nobody", `"nobody": nobody is listed by this name`},
			{"VIP", d.PickVIP, "Orders", "1"},
			{"unknown VIP", d.PickVIP, "nobody", `"nobody": nobody is listed by this name`},
		}
		for _, tt := range tests {
			inst, err := tt.pick(tt.of)
			got := ""
			var none *client.NoInstanceError
			switch {
			case err == nil:
				got = inst.ID
			case errors.As(err, &none):
				got = none.Error()
			}
			if got != tt.want {
				t.Errorf("%s: pick of %q = %q (%v), want %q", tt.name, tt.of, got, err, tt.want)
			}
		}
	})
}

// TestPickerThatChoosesNone has one that wants no instance but "2" of ORDERS.
func TestPickerThatChoosesNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		picky := client.PickerFunc(func(name string, instances []*eureka.Instance) *eureka.Instance {
			if name != "ORDERS" && name != "CART" {
				t.Errorf("the picker is asked for %q, want the name in upper case", name)
			}
			for _, inst := range instances {
				if inst.ID == "2" {
					return inst
				}
			}
			return nil
		})
		server := startEurekube(t, instance("ORDERS", "2"), instance("CART", "3"), instance("CART", "4"),
			with(instance("CART", "5"), func(i *eureka.Instance) { i.Status = eureka.StatusDown }))
		d, _ := started(t, server, client.DiscoveryConfig{Picker: client.PreferZone("a", picky)})
		if inst, err := d.Pick("orders"); err != nil || inst.ID != "2" {
			t.Errorf("Pick = %v, %v; want what the picker chose", inst, err)
		}
		roundTrip := func(host string) (*eureka.Instance, error) {
			_, err := client.NewTransport(d, roundTripper(func(r *http.Request) (*http.Response, error) {
				return nil, fmt.Errorf("%s was called", r.URL)
			})).RoundTrip(httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+"/", nil))
			return nil, err
		}
		for name, pick := range map[string]func(string) (*eureka.Instance, error){"Pick": d.Pick, "PickVIP": d.PickVIP, "RoundTrip": roundTrip} {
			inst, err := pick("cart")
			var got *client.NoInstanceError
			if !errors.As(err, &got) || inst != nil {
				t.Errorf("%s = %v, %v; want a NoInstanceError", name, inst, err)
				continue
			}
			if diff := cmp.Diff(&client.NoInstanceError{Name: "cart", Listed: 3, Declined: 2}, got); diff != "" {
				t.Errorf("error of %s (-want +got):\n%s", name, diff)
			}
			if want := `"cart": the picker chose none of 2 that are UP`; err.Error() != want {
				t.Errorf("error of %s = %q, want %q", name, err, want)
			}
		}
	})
}

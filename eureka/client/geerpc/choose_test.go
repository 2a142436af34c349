package geerpc_test

import (
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka/client/geerpc"
)

// choose is what a discovery chooses, time after time.
func choose(t *testing.T, d *geerpc.Discovery, mode geerpc.SelectMode, times int) []string {
	t.Helper()
	var chosen []string
	for range times {
		server, err := d.Get(t.Context(), mode)
		if err != nil {
			t.Fatal(err)
		}
		chosen = append(chosen, server)
	}
	return chosen
}

// updated is a discovery that was given servers and has nobody to ask.
func updated(servers ...string) *geerpc.Discovery {
	d := geerpc.NewDiscoveryThrough(&fakeRegistry{down: true}, time.Hour)
	d.Update(servers)
	return d
}

func TestRoundRobin(t *testing.T) {
	d := updated("tcp@a:1", "tcp@b:1", "tcp@c:1")
	next := map[string]string{"tcp@a:1": "tcp@b:1", "tcp@b:1": "tcp@c:1", "tcp@c:1": "tcp@a:1"}
	chosen := choose(t, d, geerpc.RoundRobinSelect, 12)
	for i := range len(chosen) - 1 {
		if chosen[i+1] != next[chosen[i]] {
			t.Fatalf("chosen are %q, want one after the other", chosen)
		}
	}
	d.Update([]string{"tcp@z:1"})
	if got := choose(t, d, geerpc.RoundRobinSelect, 2); got[0] != "tcp@z:1" || got[1] != "tcp@z:1" {
		t.Errorf("chosen are %q of a list that became shorter, want its one server", got)
	}
}

// Clients that start together do not all call the same server first.
func TestRoundRobinBeginsAnywhere(t *testing.T) {
	first := map[string]bool{}
	for range 200 {
		first[choose(t, updated("tcp@a:1", "tcp@b:1", "tcp@c:1"), geerpc.RoundRobinSelect, 1)[0]] = true
	}
	if len(first) != 3 {
		t.Errorf("two hundred clients begin at %v, want each of three servers", first)
	}
}

func TestRandom(t *testing.T) {
	chosen := choose(t, updated("tcp@a:1", "tcp@b:1", "tcp@c:1"), geerpc.RandomSelect, 300)
	count, followed := map[string]int{}, map[string]bool{}
	for i, server := range chosen {
		count[server]++
		if i > 0 {
			followed[chosen[i-1]+" "+server] = true
		}
	}
	if len(count) != 3 || count["tcp@a:1"] < 50 || count["tcp@b:1"] < 50 || count["tcp@c:1"] < 50 {
		t.Errorf("three hundred at random: %v, want about a hundred each", count)
	}
	if len(followed) != 9 {
		t.Errorf("%d of nine pairs follow each other, want all: chance knows no turns", len(followed))
	}
}

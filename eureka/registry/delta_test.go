package registry

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

func TestFieldCase45_DeletedComesLastInItsApplication(t *testing.T) {
	r := New(newClock().now)
	r.Replace(OwnerPod, "a", Listed(up("CART", "10.0.0.1", 5)))
	r.Drain()
	r.Replace(OwnerPod, "a")
	r.Replace(OwnerPod, "b", Listed(up("CART", "10.0.0.2", 6)))
	ch := r.Drain()
	if len(ch.Apps) != 1 {
		t.Fatalf("changed apps = %v, want CART alone", ch.Apps)
	}
	var got []string
	for _, i := range ch.Apps[0].Recent {
		got = append(got, i.ID+" "+string(i.ActionType))
	}
	if diff := cmp.Diff([]string{"10.0.0.2 ADDED", "10.0.0.1 DELETED"}, got); diff != "" {
		t.Errorf("delta of CART (-want +got):\n%s", diff)
	}
}

func TestFieldCase52_LastUpdatedTimestampGrows(t *testing.T) {
	c := newClock()
	r := New(c.now)
	v := newView()
	last := int64(0)
	step := func(what string, claims ...Claim) {
		t.Helper()
		r.Replace(OwnerPod, "a", claims...)
		v.drain(r)
		got := v.recent["CART"][0].LastUpdatedTimestamp
		if got <= last {
			t.Errorf("%s: lastUpdatedTimestamp = %d, want more than %d", what, got, last)
		}
		last = got
	}
	stamp := c.at.UnixMilli()
	step("added", Listed(up("CART", "1", stamp)))
	changed := up("CART", "1", stamp)
	changed.Metadata = map[string]string{"version": "1.1"}
	step("modified within the clock's resolution", Listed(changed))
	step("deleted")
	step("back with a clock of whole seconds", Listed(up("CART", "1", stamp-1000)))
}

// TestDeltasRebuildTheList applies every delta to an old copy, as clients do, and
// compares the copy with the full list after each step of a random run.
func TestDeltasRebuildTheList(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			c := newClock()
			r := New(c.now)
			v := newView()
			client := map[string]*eureka.Instance{}
			for range 300 {
				for range rnd.IntN(4) {
					randomStep(rnd, r)
				}
				c.at = c.at.Add(time.Duration(rnd.IntN(60)) * time.Second)
				r.Forget()
				v.drain(r)
				apply(client, v.recent)
				if diff := cmp.Diff(index(v.listed), client); diff != "" {
					t.Fatalf("a client that applied every delta differs (-list +client):\n%s", diff)
				}
				if got, want := v.census.HashCode(), hashOf(v.listed); got != want {
					t.Fatalf("hash = %q, want %q", got, want)
				}
			}
		})
	}
}

func randomStep(rnd *rand.Rand, r *Registry) {
	key := fmt.Sprint("pod-", rnd.IntN(8))
	if rnd.IntN(3) == 0 {
		r.Replace(OwnerPod, key)
		return
	}
	inst := up(fmt.Sprint("APP-", rnd.IntN(3)), fmt.Sprint("id-", rnd.IntN(5)), rnd.Int64N(1000))
	inst.Status = eureka.Statuses[rnd.IntN(len(eureka.Statuses))]
	r.Replace(OwnerPod, key, Listed(inst))
}

func apply(client map[string]*eureka.Instance, delta map[string][]*eureka.Instance) {
	for _, instances := range delta {
		for _, i := range instances {
			if i.ActionType == eureka.ActionDeleted {
				delete(client, i.App+"/"+i.ID)
			} else {
				client[i.App+"/"+i.ID] = i
			}
		}
	}
}

func index(listed map[string][]*eureka.Instance) map[string]*eureka.Instance {
	m := map[string]*eureka.Instance{}
	for _, instances := range listed {
		for _, i := range instances {
			m[i.App+"/"+i.ID] = i
		}
	}
	return m
}

func hashOf(listed map[string][]*eureka.Instance) string {
	var apps []eureka.Application
	for name, instances := range listed {
		apps = append(apps, eureka.Application{Name: name, Instances: instances})
	}
	return eureka.HashCode(apps)
}

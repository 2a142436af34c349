package registry

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

// TestLeasesOfAPodAreBounded registers under more ids than a pod may have.
func TestLeasesOfAPodAreBounded(t *testing.T) {
	r := New(newClock().now)
	var ended []string
	r.OnLeaseEnd(func(key, _ string) { ended = append(ended, key) })
	lease := func(n int) {
		c := itsLease()
		c.Instance.ID, c.Registered = fmt.Sprint(n), int64(n)
		r.Replace(OwnerLease, LeaseKey("ORDERS", c.Instance.ID), c)
	}
	for n := 1; n <= leasesPerPod+2; n++ {
		lease(n)
	}
	if len(ended) > 0 {
		t.Errorf("without a pod %v ended", ended)
	}
	r.Replace(OwnerPod, podKey, aPod())
	lease(leasesPerPod + 3)
	r.BoundLeases(podKey)
	want := []string{LeaseKey("ORDERS", "2"), LeaseKey("ORDERS", "1"), LeaseKey("ORDERS", "3")}
	if diff := cmp.Diff(want, ended); diff != "" {
		t.Errorf("ended (-want +got):\n%s", diff)
	}
	if got := len(r.LeasesOfPod(podKey)); got != leasesPerPod {
		t.Errorf("the pod has %d leases, want %d", got, leasesPerPod)
	}
}

// TestManyLeasesAtOneEndpointAreCheap has strangers register under one id in many
// apps and under many ids at one endpoint, a pod appear there, and all end. It may
// cost little more than when all are reached at places of their own, in time of the
// processor: how long either lasts is up to what else the machine does.
func TestManyLeasesAtOneEndpointAreCheap(t *testing.T) {
	const many = 40_000
	took := func(id func(n int) string, host func(n int) string) time.Duration {
		r := New(newClock().now)
		began := processorTime(t)
		for n := range many {
			r.Replace(OwnerLease, LeaseKey("ORDERS", fmt.Sprint(n)), Listed(up("ORDERS", fmt.Sprint(n), 1), Endpoint{host(n), 8080}))
			r.Replace(OwnerLease, LeaseKey(fmt.Sprint("APP", n), id(n)), Listed(up(fmt.Sprint("APP", n), id(n), 1)))
		}
		for n := range many / 2 {
			r.Replace(OwnerLease, LeaseKey("ORDERS", fmt.Sprint(n)))
			r.Replace(OwnerLease, LeaseKey(fmt.Sprint("APP", n), id(n)))
		}
		r.Replace(OwnerPod, podKey, aPod())
		r.Replace(OwnerPod, podKey)
		return processorTime(t) - began
	}
	own := func(n int) string { return fmt.Sprint("own-", n) }
	apart := took(own, own)
	together := took(func(int) string { return "same" }, func(int) string { return "10.0.0.5" })
	if together > 4*apart {
		t.Errorf("%d leases at one endpoint took %v, at their own %v", many, together, apart)
	}
}

// processorTime is how long this process has kept processors busy.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func TestOverrideOfAPodThatNobodySpeaksOf(t *testing.T) {
	r := New(newClock().now)
	r.Replace(OwnerPod, podKey, aPod())
	if known, _ := r.OverridePod(podKey, override); !known {
		t.Error("the override of a pod was refused")
	}
	r.Replace(OwnerPod, podKey)
	if known, _ := r.OverridePod(podKey, override); known {
		t.Error("the override of a pod that ended was taken")
	}
	r.InheritOverride(podKey, override)
	if diff := cmp.Diff(map[string]eureka.Status{}, r.PodOverrides()); diff != "" {
		t.Errorf("overrides (-want +got):\n%s", diff)
	}
}

package registry

import (
	"fmt"
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

// TestManyLeasesAtOneEndpointAreCheap has strangers register under 25,000 ids at
// one endpoint, a pod appear there, and all end. If each cost time in proportion
// to the others, it would take minutes.
func TestManyLeasesAtOneEndpointAreCheap(t *testing.T) {
	const many = 25_000
	r := New(newClock().now)
	began := time.Now()
	register := func(app, id string) {
		r.Replace(OwnerLease, LeaseKey(app, id), Listed(up(app, id, 1), Endpoint{"10.0.0.5", 8080}))
	}
	for n := range many {
		register("ORDERS", fmt.Sprint(n))
		register(fmt.Sprint("APP", n), "same")
	}
	for n := range many / 2 {
		r.Replace(OwnerLease, LeaseKey("ORDERS", fmt.Sprint(n)))
		r.Replace(OwnerLease, LeaseKey(fmt.Sprint("APP", n), "same"))
	}
	r.Replace(OwnerPod, podKey, aPod())
	r.Replace(OwnerPod, podKey)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestOverrideOfAPodThatNobodySpeaksOf(t *testing.T) {
	r := New(newClock().now)
	r.Replace(OwnerPod, podKey, aPod())
	if !r.OverridePod(podKey, override) {
		t.Error("the override of a pod was refused")
	}
	r.Replace(OwnerPod, podKey)
	if r.OverridePod(podKey, override) {
		t.Error("the override of a pod that ended was taken")
	}
	r.InheritOverride(podKey, override)
	if diff := cmp.Diff(map[string]eureka.Status{}, r.PodOverrides()); diff != "" {
		t.Errorf("overrides (-want +got):\n%s", diff)
	}
}

package snapshot

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/eurekube/eurekube/eureka/registry"
)

// counts are the values of eurekube_instances, summed over statuses, by app.
func counts(t *testing.T, metrics *prometheus.Registry) map[string]float64 {
	t.Helper()
	families, err := metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]float64)
	for _, family := range families {
		for _, metric := range family.Metric {
			for _, label := range metric.Label {
				if label.GetName() == "app" {
					all[label.GetValue()] += metric.GetGauge().GetValue()
				}
			}
		}
	}
	return all
}

// TestStrangersBecomeNoLabels has as many applications as there are labels, and
// then as many again with two instances each.
func TestStrangersBecomeNoLabels(t *testing.T) {
	const apps = 2 * maxAppLabels
	st := newStore(maxAppLabels, apps)
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(&instances{current: func() *Snapshot { return st.Snapshot }})
	want := counts(t, metrics)
	if len(want) != maxAppLabels || want[otherApps] != 0 {
		t.Fatalf("%d labels, %v instances under %q; want %d and none", len(want), want[otherApps], otherApps, maxAppLabels)
	}
	for n := range maxAppLabels {
		for _, n := range []int{maxAppLabels + n, apps + maxAppLabels + n} { // of one application
			st.registry.Replace(registry.OwnerPod, fmt.Sprint(n), registry.Listed(pod(n, apps)))
		}
	}
	st.publish()
	want[otherApps] = apps
	if diff := cmp.Diff(want, counts(t, metrics)); diff != "" {
		t.Errorf("counts after a flood (-want +got):\n%s", diff)
	}
	st.registry.Replace(registry.OwnerPod, "0")
	st.publish()
	if got := counts(t, metrics); len(got) != len(want) || got["SERVICE-0"] != 0 || got[otherApps] != apps-2 {
		t.Errorf("%d labels, %v instances under %q after an application ended; want %d and %d", len(got), got[otherApps], otherApps, len(want), apps-2)
	}
}

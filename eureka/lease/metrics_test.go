package lease

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/eurekube/eurekube/eureka"
)

func TestMetrics(t *testing.T) {
	run(t, Config{Threshold: 0.85, Ceiling: time.Minute}, func(r *rig) {
		r.wantMetrics("At the start", `
			eurekube_leases 0
			eurekube_leases_overdue 0
			eurekube_renewals_expected_per_minute 0
			eurekube_renewals_actual_per_minute 0
			eurekube_self_preservation_active 0
			eurekube_evictions_total 0
			eurekube_overrides 0`)

		r.fleet(10)
		r.pod("ORDERS", podName, podIP, false)
		r.well(r.Override("ORDERS", podID, eureka.StatusDown, Dirty{}, false))
		r.well(r.Override("A", "i9", eureka.StatusDown, Dirty{}, false))
		r.beat(3, 10, 11)
		r.wantMetrics("In an outage", `
			eurekube_leases 10
			eurekube_leases_overdue 3
			eurekube_renewals_expected_per_minute 200
			eurekube_renewals_actual_per_minute 70
			eurekube_self_preservation_active 1
			eurekube_evictions_total 0
			eurekube_overrides 2`)

		r.wait(80)
		r.wantMetrics("After all leases expired", `
			eurekube_leases 0
			eurekube_leases_overdue 0
			eurekube_renewals_expected_per_minute 0
			eurekube_renewals_actual_per_minute 0
			eurekube_self_preservation_active 0
			eurekube_evictions_total 10
			eurekube_overrides 2`)
		r.endPod(podName)
		r.wait(3600)
		r.wantMetrics("When overrides are forgotten", `
			eurekube_overrides 0`)

		problems, err := testutil.GatherAndLint(r.metrics)
		if err != nil || len(problems) > 0 {
			t.Errorf("lint: %v, error %v", problems, err)
		}
	})
}

// wantMetrics checks the number of metrics and the values of some.
func (r *rig) wantMetrics(when, want string) {
	r.t.Helper()
	got, err := testutil.GatherAndCount(r.metrics)
	if err != nil || got != 7 {
		r.t.Errorf("%s there are %d metrics, error %v; want 7", when, got, err)
	}
	for line := range strings.Lines(strings.TrimSpace(want)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if got := r.metric(name); got != value {
			r.t.Errorf("%s %s is %s, want %s", when, name, got, value)
		}
	}
}

// metric is the value of a metric without labels.
func (r *rig) metric(name string) string {
	r.t.Helper()
	families, err := r.metrics.Gather()
	if err != nil {
		r.t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			m := family.GetMetric()[0]
			return fmt.Sprint(m.GetGauge().GetValue() + m.GetCounter().GetValue())
		}
	}
	return "absent"
}

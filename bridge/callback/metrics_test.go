package callback

import "testing"

// expectMetric compares one metric that has one label.
func (r *rig) expectMetric(name, label string, want float64) {
	r.Helper()
	if got := r.metric(name, label); got != want {
		r.Errorf("%s{%s} = %v, want %v", name, label, got, want)
	}
}

func (r *rig) metric(name, label string) float64 {
	r.Helper()
	families, err := r.metrics.Gather()
	if err != nil {
		r.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			if m.GetLabel()[0].GetValue() == label {
				return m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
	}
	r.Fatalf("there is no %s{%s}", name, label)
	return 0
}

func TestMetrics_AreThereBeforeTheFirstCall(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		for _, result := range []string{"ok", "failed", "forbidden"} {
			r.expectMetric("eurekube_callback_probes_total", result, 0)
			r.expectMetric("eurekube_callback_deliveries_total", result, 0)
		}
		for _, state := range []string{"listed", "watch"} {
			r.expectMetric("eurekube_callback_services", state, 0)
		}
	})
}

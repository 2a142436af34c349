package controller_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/controller"
)

// metric is the values of a metric by its only label, "" when it has none;
// for a histogram the number of observations.
func (r *rig) metric(t *testing.T, name string) map[string]float64 {
	t.Helper()
	families, err := r.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := make(map[string]float64)
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			label := ""
			if len(m.GetLabel()) > 0 {
				label = m.GetLabel()[0].GetValue()
			}
			// All but one are nil, and so 0.
			values[label] = m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return values
}

// nonZero leaves out the values that are zero.
func nonZero(values map[string]float64) map[string]float64 {
	for label, v := range values {
		if v == 0 {
			delete(values, label)
		}
	}
	return values
}

func TestMetrics_StartAtZeroAndAreWellFormed(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.run(t, func(c *controller.Config) {
			c.Manifests = t.TempDir()
			c.ContactAge = func() time.Duration { return 90 * time.Second }
		})
		wantReasons := map[string]float64{"cancelled": 0, "finished": 0, "no-ip": 0, "no-metrics-port-label": 0, "no-port": 0,
			"no-service-name": 0, "no-version-label": 0, "not-ready": 0, "shadowed": 0, "terminating": 0}
		if diff := cmp.Diff(wantReasons, r.metric(t, "eurekube_pods_unlisted")); diff != "" {
			t.Errorf("eurekube_pods_unlisted differs (-want +got):\n%s", diff)
		}
		if got := len(r.metric(t, "eurekube_pod_warnings")); got == 0 {
			t.Error("eurekube_pod_warnings is missing, want every reason at zero")
		}
		wantAge := map[string]float64{"": 90}
		if diff := cmp.Diff(wantAge, r.metric(t, "eurekube_api_server_contact_age_seconds")); diff != "" {
			t.Errorf("eurekube_api_server_contact_age_seconds differs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[string]float64{"": 0}, r.metric(t, "eurekube_manifest_errors")); diff != "" {
			t.Errorf("eurekube_manifest_errors differs (-want +got):\n%s", diff)
		}
		problems, err := testutil.GatherAndLint(r.metrics)
		if diff := cmp.Diff([]promlint.Problem(nil), problems); diff != "" || err != nil {
			t.Errorf("lint: %v, %s", err, diff)
		}
	})
}

func TestPods_ExplainsAndCounts(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		unready := readyPod("shop", "b", "web", "10.0.0.2", setReady(corev1.ConditionFalse))
		odd := readyPod("shop", "c", "user_service", "10.0.0.3", setLabel("eurekube.io/port", "99999"))
		r.create(t, readyPod("shop", "a", "Web", "10.0.0.1"), unready, odd)
		r.run(t, nil)
		start := time.Now()
		r.wantStates(t, "shop/a listed", "shop/b not-ready", "shop/c listed")
		pods := r.controller.Pods()
		if got := pods[0].Service; got != "Web" {
			t.Errorf("service = %q, want it as the owner wrote it: Web", got)
		}
		if pods[1].Hint == "" || pods[0].Hint != "" {
			t.Errorf("hints = %q and %q, want one for the pod that is not listed", pods[0].Hint, pods[1].Hint)
		}
		var warnings []string
		for _, w := range pods[2].Warnings {
			warnings = append(warnings, string(w.Reason))
			if w.Message == "" {
				t.Errorf("warning %s says nothing", w.Reason)
			}
		}
		if diff := cmp.Diff([]string{"bad-port-label", "not-a-host-name"}, warnings, cmpopts.SortSlices(func(a, b string) bool { return a < b })); diff != "" {
			t.Errorf("warnings differ (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[string]float64{"not-ready": 1}, nonZero(r.metric(t, "eurekube_pods_unlisted"))); diff != "" {
			t.Errorf("eurekube_pods_unlisted differs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[string]float64{"bad-port-label": 1, "not-a-host-name": 1}, nonZero(r.metric(t, "eurekube_pod_warnings"))); diff != "" {
			t.Errorf("eurekube_pod_warnings differs (-want +got):\n%s", diff)
		}

		time.Sleep(time.Hour)
		r.update(t, edited(unready, setLabel("unrelated", "edit")))
		if got := r.controller.Pods()[1].Since; !got.Equal(start) {
			t.Errorf("since = %v after an edit that decides nothing, want %v", got, start)
		}
		r.update(t, edited(unready, setReady(corev1.ConditionTrue)))
		if got := r.controller.Pods()[1].Since; !got.Equal(start.Add(time.Hour)) {
			t.Errorf("since = %v after it turned ready, want %v", got, start.Add(time.Hour))
		}
		r.delete(t, odd)
		if got := nonZero(r.metric(t, "eurekube_pods_unlisted")); len(got) != 0 {
			t.Errorf("eurekube_pods_unlisted = %v, want all zero", got)
		}
		if got := nonZero(r.metric(t, "eurekube_pod_warnings")); len(got) != 0 {
			t.Errorf("eurekube_pod_warnings = %v after the pod went, want all zero", got)
		}
	})
}

func TestReadyToServed_MeasuresPodsThatTurnReady(t *testing.T) {
	const name = "eurekube_pod_ready_to_served_seconds"
	inBubble(t, func(t *testing.T, r *rig) {
		observed := func(when string, want float64) {
			t.Helper()
			if got := r.metric(t, name)[""]; got != want {
				t.Errorf("%s: %v observations, want %v", when, got, want)
			}
		}
		first := readyPod("shop", "a", "web", "10.0.0.1")
		r.create(t, first)
		r.run(t, nil)
		r.controller.Published(r.registry.Drain().Version)
		observed("the first list", 0)

		pod := readyPod("shop", "b", "web", "10.0.0.2", setReady(corev1.ConditionFalse))
		r.create(t, pod)
		ready := edited(pod, setReady(corev1.ConditionTrue))
		r.update(t, ready)
		observed("ready, not published", 0)
		time.Sleep(30 * time.Millisecond)
		version := r.registry.Drain().Version
		r.controller.Published(version - 1)
		observed("an older version published", 0)
		r.controller.Published(version)
		observed("published", 1)
		r.controller.Published(version)
		observed("published again", 1)

		r.update(t, edited(ready, setLabel("eurekube.io/version", "2")))
		r.controller.Published(r.registry.Drain().Version)
		observed("a change of a pod that was ready", 1)
		r.delete(t, first)
		r.controller.Published(r.registry.Drain().Version)
		observed("a deletion", 1)

		r.controller.Published(r.registry.Drain().Version + 1)
		r.create(t, readyPod("shop", "c", "web", "10.0.0.3"))
		observed("published before the worker could say so", 2)
	})
}

// Events that fold in the queue wait since the first of them.
func TestReadyToServed_CountsFromTheOldestEvent(t *testing.T) {
	slowZone := func(string) string {
		time.Sleep(time.Second) // the worker is busy with the pod meanwhile
		return ""
	}
	inBubble(t, func(t *testing.T, r *rig) {
		r.run(t, func(c *controller.Config) { c.Rules.Zone = slowZone })
		pod := readyPod("shop", "a", "web", "10.0.0.1", setNode("n"), setReady(corev1.ConditionFalse))
		r.create(t, pod)
		time.Sleep(200 * time.Millisecond)
		ready := edited(pod, setReady(corev1.ConditionTrue))
		r.update(t, ready)
		time.Sleep(600 * time.Millisecond)
		r.update(t, edited(ready, setLabel("eurekube.io/version", "2")))
		time.Sleep(1200 * time.Millisecond)
		synctest.Wait() // the worker ends at this very moment
		r.controller.Published(r.registry.Drain().Version)

		families, err := r.metrics.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, family := range families {
			if family.GetName() != "eurekube_pod_ready_to_served_seconds" {
				continue
			}
			h := family.GetMetric()[0].GetHistogram()
			if h.GetSampleCount() != 1 || h.GetSampleSum() != 1.8 {
				t.Errorf("%d observations of %v s together, want one of 1.8 s: from 0.2 s to 2 s", h.GetSampleCount(), h.GetSampleSum())
			}
			return
		}
		t.Error("the histogram is missing")
	})
}

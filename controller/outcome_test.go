package controller_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/controller"
)

func TestPods_SayWhichPodShadowsAnother(t *testing.T) {
	readyAt := func(at time.Time) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = metav1.NewTime(at) }
	}
	inBubble(t, func(t *testing.T, r *rig) {
		start := time.Now()
		first := readyPod("shop", "a-1", "web", "192.168.1.5", readyAt(start))
		r.create(t, first)
		r.run(t, nil)
		r.wantStates(t, "shop/a-1 listed")

		time.Sleep(time.Minute)
		second := readyPod("shop", "a-2", "web", "192.168.1.5", readyAt(time.Now()))
		r.create(t, second)
		r.wantListed(t, "192.168.1.5:web:8080 UP")
		r.wantStates(t, "shop/a-1 shadowed", "shop/a-2 listed")
		if got := r.controller.Pods()[0]; got.Status != "" || !strings.Contains(got.Hint, "Pod shop/a-2 ") || !got.Since.Equal(start) {
			t.Errorf("shadowed pod = %+v, want no status, the other pod's name and since %v", got, start)
		}
		if diff := cmp.Diff(map[string]float64{"shadowed": 1}, nonZero(r.metric(t, "eurekube_pods_unlisted"))); diff != "" {
			t.Errorf("eurekube_pods_unlisted (-want +got):\n%s", diff)
		}

		r.update(t, edited(second, setReady(corev1.ConditionFalse)))
		r.wantStates(t, "shop/a-1 listed", "shop/a-2 not-ready")
		r.update(t, edited(second, setLabel("eurekube.io/port", "81")))
		r.wantStates(t, "shop/a-1 listed", "shop/a-2 listed")
		if got := nonZero(r.metric(t, "eurekube_pods_unlisted")); len(got) != 0 {
			t.Errorf("eurekube_pods_unlisted = %v, want all zero", got)
		}
	})
}

// Of pods that are not listed the hint must fit where they come from.
func TestPods_HintsFitTheOrigin(t *testing.T) {
	unready := "status: {podIP: 10.1.0.1, phase: Running, conditions: [{type: Ready, status: \"False\"}]}\n"
	inBubble(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		for name, more := range map[string]string{
			"unready":  labelled + unready,
			"finished": labelled + "status: {podIP: 10.1.0.1, phase: Failed}\n",
			"homeless": labelled,
			"closing":  "  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n" + labelled + atOne,
			"portless": "  labels: {eurekube.io/service: web}\n" + atOne,
		} {
			write(t, filepath.Join(dir, name+".yaml"), manifest(name, more))
		}
		r.create(t, readyPod("shop", "unready", "web", "10.0.0.2", setReady(corev1.ConditionFalse)))
		r.run(t, func(c *controller.Config) { c.Manifests = dir })
		want := map[string]string{
			"default/unready":  "status.conditions in the manifest",
			"default/finished": "status.phase",
			"default/homeless": "eurekube.io/advertise-host",
			"default/closing":  "metadata.deletionTimestamp",
			"default/portless": "annotation eurekube.io/port.",
			"shop/unready":     "kubectl describe pod",
		}
		for _, p := range r.controller.Pods() {
			name := p.Namespace + "/" + p.Name
			if !strings.Contains(p.Hint, want[name]) || want[name] == "" {
				t.Errorf("hint for %s (%s) = %q, want %q in it", name, p.Reason, p.Hint, want[name])
			}
			if p.Namespace == "default" && (strings.Contains(p.Hint, "kubelet") || strings.Contains(p.Hint, "kubectl")) {
				t.Errorf("hint for the manifest %s (%s) = %q, which is about a cluster", name, p.Reason, p.Hint)
			}
			if strings.Contains(p.Hint, "<prefix>") {
				t.Errorf("hint for %s (%s) = %q, want the pod's prefix", name, p.Reason, p.Hint)
			}
			delete(want, name)
		}
		if len(want) > 0 {
			t.Errorf("not explained: %v", want)
		}
	})
}

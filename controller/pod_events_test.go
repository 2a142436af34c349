package controller_test

import (
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/controller"
)

func TestPodEvents_AreWrittenOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		bad := readyPod("shop", "bad", "web", "10.0.0.1", withoutPorts)
		r.create(t, bad, readyPod("shop", "good", "web", "10.0.0.2"))
		r.run(t, podEvents(controller.PodEventsUnlisted))
		r.wantEvents(t, "Warning NoPort bad")
		r.wantResults(t, map[string]float64{"created": 1})

		r.update(t, edited(bad, func(p *corev1.Pod) { p.ResourceVersion = "7" }, setLabel("unrelated", "edit")))
		r.open.expire() // the list is read again
		time.Sleep(time.Hour)
		if got := r.tries(); got != 1 {
			t.Errorf("%d tries after what decides nothing, want 1", got)
		}

		r.stop()
		r.anotherProcess()
		r.run(t, podEvents(controller.PodEventsUnlisted))
		replica := r.replica()
		replica.run(t, podEvents(controller.PodEventsUnlisted))
		r.wantEvents(t, "Warning NoPort bad")
		r.wantResults(t, map[string]float64{"existing": 1})
		replica.wantResults(t, map[string]float64{"existing": 1})

		r.update(t, edited(bad, setLabel("eurekube.io/port", "htp")))
		r.wantEvents(t, "Warning NoPort bad", "Warning NoPort bad")
		r.delete(t, bad)
		r.create(t, edited(bad, anotherUID))
		r.wantEvents(t, "Warning NoPort bad", "Warning NoPort bad", "Warning NoPort bad")
	})
}

func TestPodEvents_TransitionsOnlyWhenAllAreWanted(t *testing.T) {
	tests := map[controller.PodEvents][]string{
		"":                           nil,
		controller.PodEventsNone:     nil,
		controller.PodEventsUnlisted: {"Warning NoPort broken"},
		controller.PodEventsAll: {
			"Warning NoPort broken", "Normal Unlisted broken", "Normal Listed broken",
			"Normal Listed comes", "Normal Unlisted comes", "Normal Listed comes",
			"Normal Listed new", "Normal Unlisted new",
		},
	}
	for which, want := range tests {
		t.Run(string(which), func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				comes := readyPod("shop", "comes", "web", "10.0.0.1", setReady(corev1.ConditionFalse))
				broken := readyPod("shop", "broken", "web", "10.0.0.2")
				r.create(t, comes, broken, readyPod("shop", "stays", "web", "10.0.0.3"))
				r.run(t, podEvents(which))
				turn := func(status corev1.ConditionStatus) {
					time.Sleep(time.Minute)
					r.update(t, edited(comes, setReady(status), func(pod *corev1.Pod) {
						pod.Status.Conditions[1].LastTransitionTime = metav1.Now()
					}))
				}
				turn(corev1.ConditionTrue)
				turn(corev1.ConditionFalse)
				turn(corev1.ConditionTrue)
				r.update(t, edited(broken, withoutPorts, editedAt))
				time.Sleep(time.Minute)
				r.update(t, edited(broken, editedAt))
				added := readyPod("shop", "new", "web", "10.0.0.4")
				r.create(t, added)
				r.delete(t, added)
				time.Sleep(time.Minute)
				r.wantEvents(t, want...)
			})
		})
	}
}

func TestPodEvents_ManifestsHaveNone(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "machine.yaml"), "apiVersion: v1\nkind: Pod\nmetadata: {name: machine, namespace: shop, labels: {eurekube.io/service: web}}\nstatus: {podIP: 10.0.0.9}\n")
		r.run(t, func(c *controller.Config) {
			podEvents(controller.PodEventsAll)(c)
			c.Manifests = dir
		})
		time.Sleep(time.Minute)
		r.wantStates(t, "shop/machine no-port")
		r.wantEvents(t)
	})
}

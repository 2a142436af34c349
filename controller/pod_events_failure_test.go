package controller_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eurekube/eurekube/controller"
)

func TestPodEvents_AFloodIsBounded(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		const pods = 10_000
		for i := range pods {
			pod := readyPod("shop", fmt.Sprintf("bad-%d", i), "web", fmt.Sprintf("10.0.%d.%d", i>>8, i&0xff), withoutPorts)
			if err := r.client.Tracker().Add(pod); err != nil {
				t.Fatal(err)
			}
		}
		written := make(map[string]bool) // by the one goroutine that writes
		r.client.PrependReactor("create", "events", func(a clienttesting.Action) (bool, runtime.Object, error) {
			e := a.(clienttesting.CreateAction).GetObject().(*corev1.Event)
			written[e.Name] = true
			return true, e, nil
		})
		r.run(t, podEvents(controller.PodEventsUnlisted))
		r.wantSynced(t, true) // nobody waited
		if got := r.tries(); got > 51 {
			t.Errorf("%d tries at once, want the burst of 50", got)
		}
		if got := r.metric(t, "eurekube_pod_events_total")["dropped"]; got < pods-1100 || got > pods-1000 {
			t.Errorf("%v Events dropped, want those for which the queue of 1000 had no room", got)
		}
		time.Sleep(30 * time.Second)
		if got := r.tries(); got < 199 || got > 201 {
			t.Errorf("%d tries after 30 s, want the burst of 50 and 5 a second", got)
		}
		time.Sleep(40 * time.Minute) // 10,000 at 5 a second take 33
		synctest.Wait()
		if got := len(written); got != pods {
			t.Errorf("%d Events in the end, want one for each of %d pods", got, pods)
		}
		if got := r.tries(); got != pods {
			t.Errorf("%d tries for %d Events", got, pods)
		}
	})
}

func TestPodEvents_ForbiddenNamespaceIsToleratedAndHeals(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		var granted atomic.Bool
		r.refuseEvents(func(namespace string) error {
			if namespace == "b" && !granted.Load() {
				return forbidden("events")
			}
			return nil
		})
		mended := readyPod("b", "mended", "web", "10.0.0.3", withoutPorts)
		r.create(t, readyPod("a", "web-1", "web", "10.0.0.1", withoutPorts), readyPod("b", "web-2", "web", "10.0.0.2", withoutPorts), mended)
		r.run(t, podEvents(controller.PodEventsUnlisted))
		time.Sleep(time.Hour)
		r.wantEvents(t, "Warning NoPort web-1")
		r.wantLogged(t, 1, "forbade to write Events", `namespace="b"`)
		if got := r.tries(); got < 30 || got > 62 {
			t.Errorf("%d tries in an hour, want about one a minute", got)
		}
		r.update(t, edited(mended, func(pod *corev1.Pod) {
			pod.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 8080}}
		}))
		granted.Store(true)
		time.Sleep(3 * time.Minute)
		r.wantEvents(t, "Warning NoPort web-1", "Warning NoPort web-2")
		r.wantLogged(t, 1, "permitted to write Events", `namespace="b"`)
	})
}

func TestPodEvents_APIServerFailsAndRecovers(t *testing.T) {
	tests := map[string]struct {
		answer error
		lasts  time.Duration
		tries  int // while it lasts, at most
		logged int
	}{
		"a moment":             {apierrors.NewInternalError(errors.New("etcd leader changed")), time.Second, 2, 0},
		"too many requests":    {apierrors.NewTooManyRequests("busy", 1), time.Second, 2, 0},
		"an hour of errors":    {apierrors.NewServiceUnavailable("starting"), time.Hour, 60 * 4, 1},
		"an hour of no answer": {errors.New("dial tcp: connection refused"), time.Hour, 60 * 4, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				var failing atomic.Bool
				failing.Store(true)
				r.refuseEvents(func(string) error {
					if failing.Load() {
						return tt.answer
					}
					return nil
				})
				for i := range 20 {
					r.create(t, readyPod("shop", fmt.Sprintf("web-%d", i), "web", fmt.Sprintf("10.0.0.%d", i), withoutPorts))
				}
				r.run(t, podEvents(controller.PodEventsUnlisted))
				time.Sleep(tt.lasts)
				if got := r.tries(); got == 0 || got > tt.tries {
					t.Errorf("%d tries in %v, want 1 to %d", got, tt.lasts, tt.tries)
				}
				failing.Store(false)
				time.Sleep(3 * time.Minute)
				if got := len(r.events(t)); got != 20 {
					t.Errorf("%d Events after the API server recovered, want 20", got)
				}
				r.wantLogged(t, tt.logged, "could not take Events")
				r.wantLogged(t, tt.logged, "took Events on pods again")
			})
		})
	}
}

func TestPodEvents_ARefusedEventIsNotTriedAgain(t *testing.T) {
	tests := map[string]struct {
		answer error
		logged int
	}{
		"the namespace ends": {apierrors.NewForbidden(corev1.Resource("events"), "", errors.New("it is being terminated")), 0},
		"the namespace went": {apierrors.NewNotFound(corev1.Resource("namespaces"), "shop"), 0},
		"the Event is wrong": {apierrors.NewBadRequest("no such field"), 1},
	}
	tests["the namespace ends"].answer.(*apierrors.StatusError).ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.refuseEvents(func(string) error { return tt.answer })
				r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1", withoutPorts))
				r.run(t, podEvents(controller.PodEventsUnlisted))
				time.Sleep(time.Hour)
				if got := r.tries(); got != 1 {
					t.Errorf("%d tries, want 1", got)
				}
				r.wantResults(t, map[string]float64{"failed": 1})
				r.wantLogged(t, tt.logged, "API server refused an Event")
				r.wantLogged(t, 0, "forbade")
			})
		})
	}
}

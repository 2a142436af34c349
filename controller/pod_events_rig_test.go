package controller_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eurekube/eurekube/controller"
)

func podEvents(which controller.PodEvents) func(*controller.Config) {
	return func(c *controller.Config) { c.PodEvents, c.Host = which, "eurekube-0" }
}

func withoutPorts(pod *corev1.Pod) { pod.Spec.Containers[0].Ports = nil }

func setAnnotation(key, value string) func(*corev1.Pod) {
	return func(pod *corev1.Pod) { pod.Annotations = map[string]string{key: value} }
}

func anotherUID(pod *corev1.Pod) { pod.UID = "another-" + pod.UID }

// editedAt says when somebody last edited the pod, as an API server does.
func editedAt(pod *corev1.Pod) {
	now := metav1.Now()
	pod.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubectl", Time: &now}}
}

// events are the Events that the API server keeps.
func (r *rig) events(t *testing.T) []corev1.Event {
	t.Helper()
	synctest.Wait()
	list, err := r.client.CoreV1().Events("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

// wantEvents compares the Events as "type reason pod", in any order.
func (r *rig) wantEvents(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, e := range r.events(t) {
		got = append(got, fmt.Sprintf("%s %s %s", e.Type, e.Reason, e.InvolvedObject.Name))
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Events differ (-want +got):\n%s", diff)
	}
}

// tries counts how often an Event was sent to the API server.
func (r *rig) tries() int {
	synctest.Wait()
	n := 0
	for _, a := range r.client.Actions() {
		if a.Matches("create", "events") {
			n++
		}
	}
	return n
}

func (r *rig) wantResults(t *testing.T, want map[string]float64) {
	t.Helper()
	synctest.Wait()
	if diff := cmp.Diff(want, nonZero(r.metric(t, "eurekube_pod_events_total"))); diff != "" {
		t.Errorf("eurekube_pod_events_total differs (-want +got):\n%s", diff)
	}
}

// refuseEvents makes the creation of Events fail while answer says so.
func (r *rig) refuseEvents(answer func(namespace string) error) {
	r.client.PrependReactor("create", "events", func(a clienttesting.Action) (bool, runtime.Object, error) {
		err := answer(a.GetNamespace())
		return err != nil, nil, err
	})
}

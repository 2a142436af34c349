package controller_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
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
	if diff := cmp.Diff(want, nonZero(r.counter(t, "eurekube_pod_events_total"))); diff != "" {
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

func TestPodEvents_SayWhatIsWrongAndWhatToDo(t *testing.T) {
	choerodon := func(pod *corev1.Pod) {
		pod.Labels = map[string]string{"choerodon.io/service": "web", "choerodon.io/version": "1", "choerodon.io/metrics-port": "9000"}
	}
	without := func(label string) func(*corev1.Pod) { return func(pod *corev1.Pod) { delete(pod.Labels, label) } }
	tests := map[string]struct {
		edits []func(*corev1.Pod)
		want  []string // "reason: message"
	}{
		"nothing is wrong": {},
		"no service name": {
			[]func(*corev1.Pod){setLabel("eurekube.io/service", "")},
			[]string{"NoServiceName: Not listed: label eurekube.io/service is empty, and so is the annotation. Give the label eurekube.io/service, or the annotation of the same name, the name of the service."},
		},
		"no version": {
			[]func(*corev1.Pod){choerodon, without("choerodon.io/version")},
			[]string{`NoVersionLabel: Not listed: label choerodon.io/version, which choerodon.io/service: "web" needs, is missing or empty. Add the label choerodon.io/version, or use the labels of eurekube.io, where it may be absent.`},
		},
		"no metrics port": {
			[]func(*corev1.Pod){choerodon, without("choerodon.io/metrics-port")},
			[]string{`NoMetricsPortLabel: Not listed: label choerodon.io/metrics-port, which choerodon.io/service: "web" needs, is missing or empty. Add the label choerodon.io/metrics-port, or use the labels of eurekube.io, where management-port may be absent.`},
		},
		"no port": {
			[]func(*corev1.Pod){withoutPorts},
			[]string{"NoPort: Not listed: no container, sidecars apart, declares a TCP port, and eurekube.io/port is not set. Declare a TCP port in the container, or put its number into the label or annotation eurekube.io/port."},
		},
		"no port of that name": {
			[]func(*corev1.Pod){withoutPorts, setLabel("eurekube.io/port", "htp")},
			[]string{`NoPort: Not listed: eurekube.io/port: "htp" is neither a port number nor the name of a TCP port of the pod, and no container, sidecars apart, declares one. Declare a TCP port in the container, or put its number into the label or annotation eurekube.io/port.`},
		},
		"ignored values of a listed pod": {
			[]func(*corev1.Pod){setLabel("eurekube.io/port", "99999"), setLabel("eurekube.io/prot", "80"), setLabel("eurekube.io/verison", "2")},
			[]string{
				`BadPortLabel: eurekube.io/port: "99999" is neither a port number nor the name of a TCP port of the pod; using 8080. Correct it, or remove it.`,
				`UnknownLabel: label "eurekube.io/prot" is not read; the nearest name that is: port; label "eurekube.io/verison" is not read; the nearest name that is: version. Correct it, or remove it.`,
			},
		},
		"ignored value of a pod that is not ready": {
			[]func(*corev1.Pod){setReady(corev1.ConditionFalse), setAnnotation("eurekube.io/status", "GONE")},
			[]string{`BadStatus: annotation eurekube.io/status: "GONE" is no Eureka status; ignored. Correct it, or remove it.`},
		},
		"a service name that breaks URLs": {
			[]func(*corev1.Pod){setLabel("eurekube.io/service", "user_service")},
			[]string{`NotAHostName: eurekube.io/service: "user_service" cannot be the host in a URL; load-balanced calls to it fail in many clients. Name the service with letters, digits, hyphens and dots.`},
		},
		"not ready": {edits: []func(*corev1.Pod){setReady(corev1.ConditionFalse)}},
		"no address": {edits: []func(*corev1.Pod){func(pod *corev1.Pod) {
			pod.Status.PodIP, pod.Status.PodIPs = "", nil
		}}},
		"finished": {edits: []func(*corev1.Pod){withoutPorts, func(pod *corev1.Pod) { pod.Status.Phase = corev1.PodFailed }}},
		"terminating, with an ignored value": {edits: []func(*corev1.Pod){setAnnotation("eurekube.io/status", "GONE"), func(pod *corev1.Pod) {
			now := metav1.Now()
			pod.DeletionTimestamp, pod.Finalizers = &now, []string{"example.com/wait"}
		}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1", tt.edits...))
				r.run(t, podEvents(controller.PodEventsUnlisted))
				var got []string
				for _, e := range r.events(t) {
					got = append(got, e.Reason+": "+e.Message)
				}
				slices.Sort(got)
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("Events differ (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestPodEvents_NameThePodAndTheWriter(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.create(t, readyPod("shop", "web-1", "web", "10.0.0.1", withoutPorts, func(p *corev1.Pod) { p.ResourceVersion = "42" }))
		r.run(t, podEvents(controller.PodEventsUnlisted))
		events := r.events(t)
		if len(events) != 1 {
			t.Fatalf("%d Events, want 1", len(events))
		}
		now := metav1.Now()
		want := corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: events[0].Name},
			InvolvedObject: corev1.ObjectReference{
				APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web-1", UID: "uid-of-web-1", ResourceVersion: "42",
			},
			Type: "Warning", Reason: "NoPort", Message: events[0].Message, Count: 1,
			FirstTimestamp: now, LastTimestamp: now,
			Source:              corev1.EventSource{Component: "eurekube", Host: "eurekube-0"},
			ReportingController: "eurekube.io/eurekube", ReportingInstance: "eurekube-0",
		}
		if diff := cmp.Diff(want, events[0], cmpopts.IgnoreFields(corev1.Event{}, "TypeMeta", "ManagedFields")); diff != "" {
			t.Errorf("Event differs (-want +got):\n%s", diff)
		}
	})
}

func TestPodEvents_FitTheAPIServer(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		pod := readyPod("shop", strings.Repeat("w", 236)+"-"+strings.Repeat("w", 16), "web", "10.0.0.1")
		for i := range 12 {
			pod.Labels[fmt.Sprintf("eurekube.io/%cé%s", 'a'+i, strings.Repeat("é", 50))] = "x"
		}
		r.create(t, pod)
		r.run(t, podEvents(controller.PodEventsUnlisted))
		events := r.events(t)
		if len(events) != 1 {
			t.Fatalf("%d Events, want 1", len(events))
		}
		message, name := events[0].Message, events[0].Name
		if len(message) > 1024 || len(message) < 1000 || !utf8.ValidString(message) {
			t.Errorf("message of %d bytes, valid %v, want up to 1024 valid ones: %q", len(message), utf8.ValidString(message), message)
		}
		if len(name) > 253 || strings.Contains(name, "-.") {
			t.Errorf("name %q of %d bytes, want a name of at most 253", name, len(name))
		}
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
		if got := r.counter(t, "eurekube_pod_events_total")["dropped"]; got < pods-1100 || got > pods-1000 {
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

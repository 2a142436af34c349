package controller_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/controller"
)

// messages are pods by name, and "reason: message" of the Events on them.
type messages map[string]struct {
	edits []func(*corev1.Pod)
	want  []string
}

func (tests messages) run(t *testing.T) {
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

func TestPodEvents_SayWhyAPodIsNotListed(t *testing.T) {
	choerodon := func(pod *corev1.Pod) {
		pod.Labels = map[string]string{"choerodon.io/service": "web", "choerodon.io/version": "1", "choerodon.io/metrics-port": "9000"}
	}
	without := func(label string) func(*corev1.Pod) { return func(pod *corev1.Pod) { delete(pod.Labels, label) } }
	messages{
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
		"not ready": {edits: []func(*corev1.Pod){setReady(corev1.ConditionFalse)}},
		"no address": {edits: []func(*corev1.Pod){func(pod *corev1.Pod) {
			pod.Status.PodIP, pod.Status.PodIPs = "", nil
		}}},
		"finished": {edits: []func(*corev1.Pod){withoutPorts, func(pod *corev1.Pod) { pod.Status.Phase = corev1.PodFailed }}},
	}.run(t)
}

func TestPodEvents_SayWhatIsIgnored(t *testing.T) {
	messages{
		"ignored values of a listed pod": {
			[]func(*corev1.Pod){setLabel("eurekube.io/port", "99999"), setLabel("eurekube.io/prot", "80"), setLabel("eurekube.io/verison", "2")},
			[]string{
				`BadPortLabel: eurekube.io/port: "99999" is neither a port number nor the name of a TCP port of the pod; using 8080. Correct it, or remove it.`,
				`UnknownLabel: label "eurekube.io/prot" is not read; the nearest name that is: port; label "eurekube.io/verison" is not read; the nearest name that is: version. Correct it, or remove it.`,
			},
		},
		"ignored value of a pod that is not ready": {
			[]func(*corev1.Pod){setReady(corev1.ConditionFalse), setAnnotation("eurekube.io/status", "GONE")},
			[]string{`BadStatus: annotation eurekube.io/status: "GONE" is none of the statuses UP, DOWN, OUT_OF_SERVICE, STARTING and UNKNOWN; ignored. Correct it, or remove it.`},
		},
		"a service name that breaks URLs": {
			[]func(*corev1.Pod){setLabel("eurekube.io/service", "user_service")},
			[]string{`NotAHostName: eurekube.io/service: "user_service" cannot be the host in a URL; load-balanced calls to it fail in many clients. Name the service with letters, digits, hyphens and dots.`},
		},
		"terminating, with an ignored value": {edits: []func(*corev1.Pod){setAnnotation("eurekube.io/status", "GONE"), func(pod *corev1.Pod) {
			now := metav1.Now()
			pod.DeletionTimestamp, pod.Finalizers = &now, []string{"example.com/wait"}
		}}},
	}.run(t)
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

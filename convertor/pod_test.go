package convertor_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
)

var (
	startTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	readyTime = startTime.Add(20 * time.Second)
	editTime  = startTime.Add(time.Hour)
)

// defaultRules are the rules of a server that was started without flags.
var defaultRules = convertor.Rules{Prefixes: []string{convertor.PrefixEurekube, convertor.PrefixChoerodon}}

// with is defaultRules but for one edit.
func with(edit func(*convertor.Rules)) convertor.Rules {
	rules := defaultRules
	edit(&rules)
	return rules
}

type edit = func(*corev1.Pod)

// newPod is the pod that the field cases start from: ready in namespace shop,
// version 1.0, management port 8081, one container with one port, http 8080.
func newPod(name, ip, service string, edits ...edit) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{
			"eurekube.io/service":         service,
			"eurekube.io/version":         "1.0",
			"eurekube.io/management-port": "8081",
		}, Annotations: map[string]string{}},
		Spec: corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{container("app", tcp("http", 8080))}},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
			StartTime:  &metav1.Time{Time: startTime},
			Conditions: []corev1.PodCondition{condition(corev1.PodReady, corev1.ConditionTrue, readyTime)},
		},
	}
	for _, e := range edits {
		e(pod)
	}
	return pod
}

func container(name string, ports ...corev1.ContainerPort) corev1.Container {
	return corev1.Container{Name: name, Ports: ports}
}

func tcp(name string, number int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: number, Protocol: corev1.ProtocolTCP}
}

func udp(name string, number int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: number, Protocol: corev1.ProtocolUDP}
}

func condition(kind corev1.PodConditionType, status corev1.ConditionStatus, at time.Time) corev1.PodCondition {
	return corev1.PodCondition{Type: kind, Status: status, LastTransitionTime: metav1.NewTime(at)}
}

func label(key, value string) edit { return func(p *corev1.Pod) { p.Labels[key] = value } }

func annotation(key, value string) edit { return func(p *corev1.Pod) { p.Annotations[key] = value } }

// without takes a label away.
func without(key string) edit { return func(p *corev1.Pod) { delete(p.Labels, key) } }

func phase(phase corev1.PodPhase) edit { return func(p *corev1.Pod) { p.Status.Phase = phase } }

func conditions(c ...corev1.PodCondition) edit {
	return func(p *corev1.Pod) { p.Status.Conditions = c }
}

func containers(c ...corev1.Container) edit { return func(p *corev1.Pod) { p.Spec.Containers = c } }

func unready(at time.Time) edit {
	return conditions(condition(corev1.PodReady, corev1.ConditionFalse, at))
}

// choerodon turns the labels into those that Choerodon's pods carry.
func choerodon(p *corev1.Pod) {
	p.Labels = map[string]string{
		"choerodon.io/service":      p.Labels["eurekube.io/service"],
		"choerodon.io/version":      "1.0",
		"choerodon.io/metrics-port": "8081",
	}
}

// listed converts a pod that must be listed without warnings.
func listed(t *testing.T, pod *corev1.Pod, rules convertor.Rules) *eureka.Instance {
	t.Helper()
	inst, warnings, err := convertor.Convert(pod, rules)
	if err != nil {
		t.Fatalf("Convert(%s) is not listed: %v", pod.Name, err)
	}
	if len(warnings) != 0 {
		t.Errorf("Convert(%s) warns: %v", pod.Name, warnings)
	}
	return inst
}

// notListed converts a pod that must not be listed, for that reason, and returns
// the instance beside the reason.
func notListed(t *testing.T, pod *corev1.Pod, rules convertor.Rules, want convertor.Reason) *eureka.Instance {
	t.Helper()
	inst, _, err := convertor.Convert(pod, rules)
	if err != want {
		t.Errorf("Convert(%s) says %v, want %v", pod.Name, err, want)
	}
	return inst
}

// equal fails unless got is want.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// reasonsOf are the kinds of warnings.
func reasonsOf(warnings []convertor.Warning) []convertor.WarningReason {
	var kinds []convertor.WarningReason
	for _, w := range warnings {
		kinds = append(kinds, w.Reason)
	}
	return kinds
}

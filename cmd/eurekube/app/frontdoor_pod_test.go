package app

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The life of every pod of these tests, before the fake clock starts.
var (
	podStart = time.Date(1999, time.December, 31, 12, 0, 0, 0, time.UTC)
	podReady = podStart.Add(20 * time.Second)
)

type edit = func(*corev1.Pod)

// pod is the pod that the field cases start from: ready in namespace shop,
// version 1.0, management port 8081, one container with one port, http 8080.
func pod(name, ip, service string, edits ...edit) *corev1.Pod {
	p := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("uid-of-" + name),
			Labels: map[string]string{
				"eurekube.io/service":         service,
				"eurekube.io/version":         "1.0",
				"eurekube.io/management-port": "8081",
			},
			Annotations: map[string]string{},
		},
		Spec: corev1.PodSpec{NodeName: "node-1", Containers: []corev1.Container{container("app", port("http", 8080))}},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
			StartTime:  &metav1.Time{Time: podStart},
			Conditions: []corev1.PodCondition{condition(corev1.PodReady, corev1.ConditionTrue)},
		},
	}
	for _, e := range edits {
		e(p)
	}
	return p
}

func container(name string, ports ...corev1.ContainerPort) corev1.Container {
	return corev1.Container{Name: name, Ports: ports}
}

func port(name string, number int32) corev1.ContainerPort {
	return corev1.ContainerPort{Name: name, ContainerPort: number, Protocol: corev1.ProtocolTCP}
}

func condition(kind corev1.PodConditionType, status corev1.ConditionStatus) corev1.PodCondition {
	return corev1.PodCondition{Type: kind, Status: status, LastTransitionTime: metav1.NewTime(podReady)}
}

func label(key, value string) edit { return func(p *corev1.Pod) { p.Labels[key] = value } }

func withoutLabel(key string) edit { return func(p *corev1.Pod) { delete(p.Labels, key) } }

// annotation sets an annotation; names without a prefix are ours.
func annotation(name, value string) edit {
	return func(p *corev1.Pod) { p.Annotations["eurekube.io/"+name] = value }
}

func namespace(name string) edit { return func(p *corev1.Pod) { p.Namespace = name } }

func containers(all ...corev1.Container) edit {
	return func(p *corev1.Pod) { p.Spec.Containers = all }
}

func conditions(all ...corev1.PodCondition) edit {
	return func(p *corev1.Pod) { p.Status.Conditions = all }
}

// ready sets the Ready condition, as a pod that was ready before shows it.
func ready(status corev1.ConditionStatus) edit {
	return conditions(condition(corev1.PodReady, status))
}

func phase(phase corev1.PodPhase) edit { return func(p *corev1.Pod) { p.Status.Phase = phase } }

func addresses(ips ...string) edit {
	return func(p *corev1.Pod) {
		p.Status.PodIP, p.Status.PodIPs = ips[0], nil
		for _, ip := range ips {
			p.Status.PodIPs = append(p.Status.PodIPs, corev1.PodIP{IP: ip})
		}
	}
}

// hostNetwork makes the pod share its node's address, on its own port.
func hostNetwork(number int32) edit {
	return func(p *corev1.Pod) {
		p.Spec.HostNetwork = true
		p.Spec.Containers = []corev1.Container{container("app", port("http", number))}
	}
}

// terminating is what a request to delete leaves until the containers ended.
func terminating(p *corev1.Pod) {
	now := metav1.Now()
	p.DeletionTimestamp = &now
}

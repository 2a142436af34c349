package controller

import (
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eurekube/eurekube/convertor"
)

// podGenerator makes pods that are likely to be listed and likely to be odd.
type podGenerator struct {
	*rand.Rand
	texts []string
}

// oneOf is one of choices, evenly.
func oneOf[T any](g podGenerator, choices ...T) T { return choices[g.IntN(len(choices))] }

// mostly is usual three times out of four.
func mostly[T any](g podGenerator, usual T, others ...T) T {
	if g.IntN(4) > 0 {
		return usual
	}
	return oneOf(g, others...)
}

func (g podGenerator) time() metav1.Time {
	return mostly(g, metav1.NewTime(time.Unix(1_770_000_000+int64(g.IntN(5)), 0)), metav1.Time{})
}

func (g podGenerator) timePtr() *metav1.Time {
	t := g.time()
	return mostly(g, &t, nil)
}

func (g podGenerator) text() string {
	return oneOf(g, append([]string{"orders", "user_service", "8080", "http", "https", "fd00::9", "/api", "UP", "down", "", " "}, g.texts...)...)
}

func (g podGenerator) words(size int) map[string]string {
	names := []string{
		"service", "version", "port", "management-port", "metrics-port", "context-path", "secure-port", "advertise-host", "advertise-port",
		"status", "vip", "health-path", "status-path", "metadata.team", "metadata.", "metadata.version",
	}
	words := map[string]string{"app": "orders", "app.kubernetes.io/name": "orders", "other.example/service": "no"}
	for range g.IntN(size) {
		words[oneOf(g, append(trimPrefixes, "other.example")...)+"/"+oneOf(g, names...)] = g.text()
	}
	for _, key := range []string{"app.kubernetes.io/version", "topology.kubernetes.io/zone", "kubectl.kubernetes.io/default-container"} {
		if g.IntN(2) == 0 {
			words[key] = oneOf(g, "app", "envoy", "")
		}
	}
	return words
}

func (g podGenerator) containers() []corev1.Container {
	var containers []corev1.Container
	for range g.IntN(4) {
		c := corev1.Container{Name: oneOf(g, "app", "web", "envoy", "istio-proxy"), Image: "any:1", Env: []corev1.EnvVar{{Name: "A"}}}
		for range g.IntN(3) {
			c.Ports = append(c.Ports, corev1.ContainerPort{
				Name: oneOf(g, "", "http", "https", "admin"), ContainerPort: oneOf[int32](g, 8080, 8443, 9090, 0, 70000),
				Protocol: mostly(g, corev1.ProtocolTCP, "", corev1.ProtocolUDP), HostPort: 1,
			})
		}
		containers = append(containers, c)
	}
	return containers
}

func (g podGenerator) pod() *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "orders-abc", Namespace: oneOf(g, "shop", "a"), UID: types.UID(g.text()), ResourceVersion: g.text(),
			CreationTimestamp: g.time(), Labels: g.words(12), Annotations: g.words(12),
		},
		Spec: corev1.PodSpec{
			NodeName: oneOf(g, "node-1", "node-2", ""), Containers: g.containers(),
			InitContainers: g.containers(), HostNetwork: g.IntN(2) == 0,
		},
		Status: corev1.PodStatus{
			Phase: mostly(g, corev1.PodRunning, corev1.PodPending, corev1.PodFailed, corev1.PodUnknown),
			PodIP: mostly(g, "10.0.0.5", "", "fd00::5", "db1.example.com"), StartTime: g.timePtr(), Reason: "Evicted",
		},
	}
	if g.IntN(8) == 0 {
		pod.DeletionTimestamp = g.timePtr()
	}
	for range g.IntN(4) {
		pod.ManagedFields = append(pod.ManagedFields, metav1.ManagedFieldsEntry{
			Manager: "any", Subresource: oneOf(g, "", "status"), Time: g.timePtr(), FieldsV1: &metav1.FieldsV1{Raw: []byte("{}")},
		})
	}
	for range g.IntN(3) {
		pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: oneOf(g, "10.0.0.5", "10.0.0.6", "fd00::5", "")})
	}
	for range g.IntN(5) {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
			Type:   mostly(g, corev1.PodReady, corev1.ContainersReady, corev1.PodInitialized),
			Status: mostly(g, corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown), LastTransitionTime: g.time(), Message: "long",
		})
	}
	if g.IntN(4) > 0 {
		pod.Labels["eurekube.io/service"] = "orders"
	}
	return pod
}

func (g podGenerator) rules() convertor.Rules {
	rules := convertor.Rules{
		Prefixes: trimPrefixes,
		IPFamily: oneOf(g, "", convertor.IPFamilyAuto, convertor.IPFamilyIPv4, convertor.IPFamilyIPv6),
		Unready:  oneOf(g, convertor.UnreadyOmit, convertor.UnreadyDown),
	}
	if g.IntN(2) == 0 {
		rules.Zone = func(node string) string { return "zone-of-" + node }
	}
	return rules
}

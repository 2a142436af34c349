package controller

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/eurekube/eurekube/convertor"
)

var trimPrefixes = []string{convertor.PrefixEurekube, convertor.PrefixChoerodon, "shop.example"}

// fullPod is a pod as the API server sends it, with much that nobody here
// reads.
func fullPod() *corev1.Pod {
	at := func(minute int) metav1.Time { return metav1.NewTime(time.Date(2026, 3, 1, 12, minute, 0, 0, time.UTC)) }
	ptr := func(t metav1.Time) *metav1.Time { return &t }
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "orders-7d9-abc", GenerateName: "orders-7d9-", Namespace: "shop", UID: "u1", ResourceVersion: "42", Generation: 3,
			CreationTimestamp: at(0), DeletionTimestamp: ptr(at(9)),
			Labels:          map[string]string{"eurekube.io/service": "orders", "app.kubernetes.io/version": "1", "topology.kubernetes.io/zone": "eu-1a", "app": "orders"},
			Annotations:     map[string]string{"shop.example/metadata.team": "blue", "kubectl.kubernetes.io/default-container": "app", "kubectl.kubernetes.io/last-applied-configuration": "{}"},
			OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "orders-7d9"}},
			Finalizers:      []string{"example.com/wait"},
			ManagedFields: []metav1.ManagedFieldsEntry{
				{Manager: "kubectl", Operation: "Update", Time: ptr(at(5)), FieldsV1: &metav1.FieldsV1{Raw: []byte(`{"f:metadata":{}}`)}},
				{Manager: "kubelet", Operation: "Update", Subresource: "status", Time: ptr(at(8)), FieldsV1: &metav1.FieldsV1{Raw: []byte(`{}`)}},
			},
		},
		Spec: corev1.PodSpec{
			NodeName: "node-1", ServiceAccountName: "default", Volumes: []corev1.Volume{{Name: "data"}},
			InitContainers: []corev1.Container{{Name: "init", Image: "init:1"}},
			Containers: []corev1.Container{{
				Name: "app", Image: "orders:1", Env: []corev1.EnvVar{{Name: "SECRET", Value: "x"}}, Args: []string{"serve"},
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, HostPort: 80, HostIP: "1.2.3.4", Protocol: "TCP"}},
			}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: "10.0.0.5", PodIPs: []corev1.PodIP{{IP: "10.0.0.5"}, {IP: "fd00::5"}}, HostIP: "192.168.0.1",
			StartTime: ptr(at(1)), QOSClass: corev1.PodQOSBurstable,
			Conditions: []corev1.PodCondition{
				{Type: corev1.PodScheduled, Status: corev1.ConditionTrue},
				{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: at(2), LastProbeTime: at(3), Reason: "Because", Message: "long"},
			},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "app", Image: "orders:1", Ready: true}},
		},
	}
}

func TestTrimKeepsNothingElse(t *testing.T) {
	pod := fullPod()
	want := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "orders-7d9-abc", Namespace: "shop", UID: "u1", ResourceVersion: "42",
			CreationTimestamp: pod.CreationTimestamp, DeletionTimestamp: pod.DeletionTimestamp,
			Labels:        map[string]string{"eurekube.io/service": "orders", "app.kubernetes.io/version": "1", "topology.kubernetes.io/zone": "eu-1a"},
			Annotations:   map[string]string{"shop.example/metadata.team": "blue", "kubectl.kubernetes.io/default-container": "app"},
			ManagedFields: []metav1.ManagedFieldsEntry{{Time: pod.ManagedFields[0].Time}},
		},
		Spec: corev1.PodSpec{
			NodeName:   "node-1",
			Containers: []corev1.Container{{Name: "app", Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: "TCP"}}}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, PodIP: "10.0.0.5", PodIPs: pod.Status.PodIPs, StartTime: pod.Status.StartTime,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: pod.Status.Conditions[1].LastTransitionTime}},
		},
	}
	got := trimmed(t, pod)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("trimmed pod (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, trimmed(t, got)); diff != "" {
		t.Errorf("trimmed twice (-want +got):\n%s", diff)
	}
}

func TestTrimLeavesTheOriginalAlone(t *testing.T) {
	pod := fullPod()
	got := trimmed(t, pod)
	if diff := cmp.Diff(fullPod(), pod); diff != "" {
		t.Errorf("the original changed (-before +after):\n%s", diff)
	}
	kept := got.DeepCopy()
	pod.Labels["eurekube.io/service"] = "other"
	pod.Annotations["shop.example/metadata.team"] = "other"
	pod.DeletionTimestamp.Time = time.Time{}
	pod.ManagedFields[0].Time.Time = time.Time{}
	pod.Spec.Containers[0].Ports[0].Name = "other"
	pod.Status.PodIPs[0].IP = "other"
	pod.Status.StartTime.Time = time.Time{}
	pod.Status.Conditions[1].Status = "other"
	if diff := cmp.Diff(kept, got); diff != "" {
		t.Errorf("the trimmed pod shares memory with the original (-before +after):\n%s", diff)
	}
}

func TestTrimPassesOtherObjects(t *testing.T) {
	for _, obj := range []any{
		cache.DeletedFinalStateUnknown{Key: "shop/orders", Obj: fullPod()},
		cache.DeletedFinalStateUnknown{Key: "shop/orders"},
		&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-1"}},
		nil,
	} {
		got, err := trimmer(trimPrefixes)(obj)
		if err != nil {
			t.Errorf("trim(%T): %v", obj, err)
		}
		if diff := cmp.Diff(obj, got); diff != "" {
			t.Errorf("trim(%T) changed it (-want +got):\n%s", obj, diff)
		}
	}
}

// FuzzTrim checks that no conversion can tell a trimmed pod from the whole
// one, under any rules with the prefixes that it was trimmed for.
func FuzzTrim(f *testing.F) {
	for seed := range uint64(2000) {
		f.Add(seed, "orders", "8081")
	}
	f.Fuzz(func(t *testing.T, seed uint64, first, second string) {
		g := podGenerator{rand.New(rand.NewPCG(seed, 1)), []string{first, second}}
		pod, rules := g.pod(), g.rules()
		slim := trimmed(t, pod)
		want, got := conversionOf(pod, rules), conversionOf(slim, rules)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the trimmed pod converts differently (-whole +trimmed):\n%s", diff)
		}
		if w, g := convertor.ServiceName(pod, rules.Prefixes), convertor.ServiceName(slim, rules.Prefixes); w != g {
			t.Errorf("service name of the trimmed pod = %q, want %q", g, w)
		}
		if w, g := cache.MetaObjectToName(pod), cache.MetaObjectToName(slim); w != g || pod.UID != slim.UID || pod.ResourceVersion != slim.ResourceVersion {
			t.Errorf("identity of the trimmed pod = %v, want %v", g, w)
		}
	})
}

// conversionOf is all that Convert and Endpoints answer.
func conversionOf(pod *corev1.Pod, rules convertor.Rules) []any {
	inst, warnings, err := convertor.Convert(pod, rules)
	return []any{inst, warnings, fmt.Sprint(err), convertor.Endpoints(pod, rules)}
}

func trimmed(t *testing.T, pod *corev1.Pod) *corev1.Pod {
	t.Helper()
	obj, err := trimmer(trimPrefixes)(pod)
	if err != nil {
		t.Fatal(err)
	}
	return obj.(*corev1.Pod)
}

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

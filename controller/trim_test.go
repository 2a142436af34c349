package controller

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

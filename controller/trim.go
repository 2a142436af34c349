package controller

import (
	"strings"
	"unique"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/eurekube/eurekube/convertor"
)

// trimmer makes the transform that an informer runs on each pod before it
// keeps it: what is left is the pod's identity and what [convertor.Convert]
// reads under prefixes. The transform returns a new pod and leaves the one it
// was given alone; anything that is no pod passes through, since the pod in a
// tombstone was trimmed on its way in. It never fails and never drops a pod: a
// single nil would leave the whole first list out of the store.
func trimmer(prefixes []string) cache.TransformFunc {
	starts := make([]string, len(prefixes))
	for i, prefix := range prefixes {
		starts[i] = prefix + "/"
	}
	return func(obj any) (any, error) {
		pod, ok := obj.(*corev1.Pod)
		if !ok {
			return obj, nil
		}
		return trim(pod, starts), nil
	}
}

// trim copies what is kept of pod. When Convert learns to read a field, the
// field belongs here too; the fuzz test says so.
func trim(pod *corev1.Pod, starts []string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:              pod.Name,
			Namespace:         shared(pod.Namespace),
			UID:               pod.UID,
			ResourceVersion:   pod.ResourceVersion,
			CreationTimestamp: pod.CreationTimestamp,
			DeletionTimestamp: pod.DeletionTimestamp.DeepCopy(),
			Labels:            trimKeys(pod.Labels, starts, convertor.VersionLabel, convertor.ZoneLabel),
			Annotations:       trimKeys(pod.Annotations, starts, convertor.DefaultContainerAnnotation),
			ManagedFields:     trimManagedFields(pod),
		},
		Spec: corev1.PodSpec{
			NodeName:   shared(pod.Spec.NodeName),
			Containers: trimContainers(pod.Spec.Containers),
		},
		Status: trimStatus(&pod.Status),
	}
}

// shared is s, in one copy for all pods that carry it. The copy goes when no
// pod needs it; pods that come later may then share another one.
func shared(s string) string { return unique.Make(s).Value() }

// trimKeys keeps the entries of m whose key begins with one of starts or is
// one of keys.
func trimKeys(m map[string]string, starts []string, keys ...string) map[string]string {
	var kept map[string]string
	keep := func(key, value string) {
		if kept == nil {
			kept = make(map[string]string)
		}
		kept[shared(key)] = value
	}
	for key, value := range m {
		for _, start := range starts {
			if strings.HasPrefix(key, start) {
				keep(key, value)
				break
			}
		}
	}
	for _, key := range keys {
		if value, ok := m[key]; ok {
			keep(key, value)
		}
	}
	return kept
}

// trimManagedFields keeps the one time that Convert reads of them.
func trimManagedFields(pod *corev1.Pod) []metav1.ManagedFieldsEntry {
	edited := convertor.EditedAt(pod)
	if edited == nil {
		return nil
	}
	return []metav1.ManagedFieldsEntry{{Time: edited.DeepCopy()}}
}

// trimContainers keeps names and ports. Init containers go: their ports never
// count.
func trimContainers(containers []corev1.Container) []corev1.Container {
	kept := make([]corev1.Container, len(containers))
	for i := range containers {
		kept[i].Name = shared(containers[i].Name)
		for _, p := range containers[i].Ports {
			kept[i].Ports = append(kept[i].Ports, corev1.ContainerPort{
				Name:          shared(p.Name),
				ContainerPort: p.ContainerPort,
				Protocol:      corev1.Protocol(shared(string(p.Protocol))),
			})
		}
	}
	return kept
}

// trimStatus keeps phase, addresses, start and the Ready condition.
func trimStatus(status *corev1.PodStatus) corev1.PodStatus {
	kept := corev1.PodStatus{
		Phase:     corev1.PodPhase(shared(string(status.Phase))),
		PodIP:     status.PodIP,
		StartTime: status.StartTime.DeepCopy(),
	}
	// Most pods have one address, in PodIP already.
	if len(status.PodIPs) != 1 || status.PodIPs[0].IP != status.PodIP {
		kept.PodIPs = append(kept.PodIPs, status.PodIPs...)
	}
	for _, c := range status.Conditions {
		if c.Type == corev1.PodReady {
			kept.Conditions = []corev1.PodCondition{{
				Type:               corev1.PodReady,
				Status:             corev1.ConditionStatus(shared(string(c.Status))),
				LastTransitionTime: c.LastTransitionTime,
			}}
			break
		}
	}
	return kept
}

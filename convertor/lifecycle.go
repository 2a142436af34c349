package convertor

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/eureka"
)

// statusOf is what the pod's own state makes of it, before any override. The
// error is the [Reason] why the pod is not to be listed as that.
func statusOf(pod *corev1.Pod, unready Unready) (eureka.Status, error) {
	status := readiness(pod)
	switch {
	case pod.DeletionTimestamp != nil:
		// Readiness lags behind a deletion, and callers would keep reaching a
		// process that is closing (field case 53).
		return status, ReasonTerminating
	case finished(pod):
		return status, ReasonFinished
	case pod.Status.Phase != corev1.PodRunning:
		// Containers are yet to start, or the node is lost: a Ready condition that
		// is True all the same is older than that.
		return status, ReasonNotReady
	case firstAddress(pod) == "":
		return status, ReasonNoIP
	case status != eureka.StatusUp && unready != UnreadyDown:
		return status, ReasonNotReady
	}
	return status, nil
}

// hasProcess reports whether something runs at the pod's address.
func hasProcess(pod *corev1.Pod) bool {
	return !finished(pod) && firstAddress(pod) != ""
}

// finished reports whether all containers of the pod ended. Its Ready condition
// may stay True and its address may already be another pod's (field cases 56 and
// 58).
func finished(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// readiness is the pod's Ready condition as a status.
func readiness(pod *corev1.Pod) eureka.Status {
	ready := readyCondition(pod)
	switch {
	case ready != nil && ready.Status == corev1.ConditionTrue:
		return eureka.StatusUp
	case neverReady(pod, ready):
		return eureka.StatusStarting
	}
	return eureka.StatusDown
}

// readyCondition is the pod's Ready condition, nil if it has none. Containers
// are not asked: a pod with a closed readiness gate or on a lost node has ready
// containers and is not ready (field case 54).
func readyCondition(pod *corev1.Pod) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady {
			return c
		}
	}
	return nil
}

// neverReady reports whether an unready pod shows that it was never ready: no
// condition yet, or one that has not moved since the kubelet took the pod.
// Without a start time there is no such evidence.
func neverReady(pod *corev1.Pod, ready *corev1.PodCondition) bool {
	if ready == nil {
		return true
	}
	start := pod.Status.StartTime
	return !start.IsZero() && !ready.LastTransitionTime.After(start.Time)
}

// readySince is when the pod last turned ready or unready, in milliseconds
// since 1970; the nearest earlier time of its life when it never did, 0 when
// nothing is known. It is never the present time, so that every replica says
// the same.
func readySince(pod *corev1.Pod) int64 {
	if ready := readyCondition(pod); ready != nil && !ready.LastTransitionTime.IsZero() {
		return ready.LastTransitionTime.UnixMilli()
	}
	if start := pod.Status.StartTime; !start.IsZero() {
		return start.UnixMilli()
	}
	if created := pod.CreationTimestamp; !created.IsZero() {
		return created.UnixMilli()
	}
	return 0
}

// ChangedAt is when the pod last turned ready or unready or was edited, in
// milliseconds since 1970, 0 when nothing is known: an edit of labels or
// annotations counts as a change of the description (field case 52). Like every
// time here it is the pod's own, so that every replica says the same.
func ChangedAt(pod *corev1.Pod) int64 {
	changed := readySince(pod)
	if edited := EditedAt(pod); edited != nil {
		changed = max(changed, edited.UnixMilli())
	}
	return changed
}

// EditedAt is when somebody last changed the pod itself, its labels and
// annotations included, and not merely its status. It is nil when the pod does
// not tell. The time belongs to the pod.
func EditedAt(pod *corev1.Pod) *metav1.Time {
	var latest *metav1.Time
	for i := range pod.ManagedFields {
		entry := &pod.ManagedFields[i]
		if entry.Subresource != "" || entry.Time.IsZero() {
			continue
		}
		if latest == nil || entry.Time.After(latest.Time) {
			latest = entry.Time
		}
	}
	return latest
}

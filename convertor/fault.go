package convertor

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Fault says which label or port of a pod is why it is not listed, by name and
// value, and what its owner can do: one line, of values their first 80
// characters. It is empty for a reason that ends by itself or that the owner did
// not write, such as [ReasonNotReady].
func Fault(pod *corev1.Pod, prefixes []string, reason Reason) string {
	l := labels{pod: pod, prefix: Prefix(pod, prefixes)}
	var fault string
	switch reason {
	case ReasonNoServiceName:
		fault = "label " + l.key(NameService) + " is empty, and so is the annotation"
	case ReasonNoVersionLabel:
		fault = l.lacks(nameVersion)
	case ReasonNoMetricsPortLabel:
		fault = l.lacks(nameMetricsPort)
	case ReasonNoPort:
		fault = "no container, sidecars apart, declares a TCP port, and " + l.key(namePort) + " is not set"
		if hint := l.value(namePort); hint != "" {
			fault = l.key(namePort) + ": " + clipped(hint) + " is neither a port number nor the name of a TCP port of the pod, and no container, sidecars apart, declares one"
		}
	default:
		return ""
	}
	return fault + ". " + strings.ReplaceAll(reason.Hint(), "<prefix>", l.prefix)
}

// Prefix is the one of prefixes that the pod is read under: the first with a name
// of the service, or else the first with a service label at all. It is what
// <prefix> in a hint stands for, and empty for a pod that did not opt in.
func Prefix(pod *corev1.Pod, prefixes []string) string {
	if l := labelsUnder(pod, prefixes); l.prefix != "" {
		return l.prefix
	}
	for _, prefix := range prefixes {
		if _, ok := pod.Labels[prefix+"/"+NameService]; ok {
			return prefix
		}
	}
	return ""
}

// lacks says that the pod is listed by the service label and has nothing under
// name.
func (l labels) lacks(name string) string {
	return "label " + l.key(name) + ", which " + l.key(NameService) + ": " + clipped(l.value(NameService)) + " needs, is missing or empty"
}

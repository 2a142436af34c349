package convertor

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Keys outside the prefixes that Convert reads too.
const (
	// VersionLabel is the version of a pod whose prefix has no version label.
	VersionLabel = "app.kubernetes.io/version"
	// ZoneLabel is the zone of a pod, if it has the label.
	ZoneLabel = corev1.LabelTopologyZone
	// DefaultContainerAnnotation names the container that kubectl acts on, so
	// it is the application's and not a sidecar's.
	DefaultContainerAnnotation = "kubectl.kubernetes.io/default-container"
)

// Names under a prefix that other packages need: the label to watch for, and
// the annotation that gives a manifest without an address its host.
const (
	NameService       = "service"
	NameAdvertiseHost = "advertise-host"
)

const (
	nameVersion        = "version"
	namePort           = "port"
	nameManagementPort = "management-port"
	nameMetricsPort    = "metrics-port"
	nameContextPath    = "context-path"
	nameSecurePort     = "secure-port"
	nameAdvertisePort  = "advertise-port"
	nameStatus         = "status"
	nameVIP            = "vip"
	nameHealthPath     = "health-path"
	nameStatusPath     = "status-path"
	nameGeeRPC         = "geerpc"
	nameMetadata       = "metadata."
)

// ServiceName is the name of the service that pod belongs to, as its owner
// wrote it, also of a pod that is not listed. It is empty when the pod did not
// opt in under any of prefixes.
func ServiceName(pod *corev1.Pod, prefixes []string) string {
	return labelsUnder(pod, prefixes).value(NameService)
}

// labels reads a pod's labels and annotations under one prefix, nothing when
// the prefix is empty. Everything it returns is free of surrounding space.
type labels struct {
	pod    *corev1.Pod
	prefix string
}

// labelsUnder picks the first of prefixes under which the pod has a service
// label and a service name. The label must be there even when an annotation
// gives the name: it is what the API server selects on.
func labelsUnder(pod *corev1.Pod, prefixes []string) labels {
	for _, prefix := range prefixes {
		l := labels{pod: pod, prefix: prefix}
		if _, ok := pod.Labels[l.key(NameService)]; ok && l.value(NameService) != "" {
			return l
		}
	}
	return labels{pod: pod}
}

func (l labels) key(name string) string { return l.prefix + "/" + name }

// value is the annotation of that name or else the label (field case 82).
func (l labels) value(name string) string {
	if v := l.annotation(name); v != "" || l.prefix == "" {
		return v
	}
	return strings.TrimSpace(l.pod.Labels[l.key(name)])
}

func (l labels) annotation(name string) string {
	if l.prefix == "" {
		return ""
	}
	return strings.TrimSpace(l.pod.Annotations[l.key(name)])
}

func (l labels) choerodon() bool { return l.prefix == PrefixChoerodon }

func (l labels) version() string {
	v := l.value(nameVersion)
	if v == "" && !l.choerodon() {
		return strings.TrimSpace(l.pod.Labels[VersionLabel])
	}
	return v
}

// managementPortName is what the prefix calls the management port.
func (l labels) managementPortName() string {
	if l.choerodon() {
		return nameMetricsPort
	}
	return nameManagementPort
}

// missing reports the needed label that the pod lacks, or nil.
func (l labels) missing() error {
	switch {
	case l.value(NameService) == "":
		return ReasonNoServiceName
	case l.choerodon() && l.version() == "":
		return ReasonNoVersionLabel
	case l.choerodon() && l.value(nameMetricsPort) == "":
		return ReasonNoMetricsPortLabel
	}
	return nil
}

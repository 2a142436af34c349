package fleet

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func status(pod *corev1.Pod, ip string, started, ready metav1.Time) corev1.PodStatus {
	yes := true
	condition := func(kind corev1.PodConditionType, since metav1.Time) corev1.PodCondition {
		return corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: since}
	}
	running := &pod.Spec.Containers[0]
	return corev1.PodStatus{
		Phase:     corev1.PodRunning,
		PodIP:     ip,
		PodIPs:    []corev1.PodIP{{IP: ip}},
		HostIP:    "192.168.0.1",
		HostIPs:   []corev1.HostIP{{IP: "192.168.0.1"}},
		QOSClass:  corev1.PodQOSBurstable,
		StartTime: &started,
		Conditions: []corev1.PodCondition{
			condition(corev1.PodReadyToStartContainers, started),
			condition(corev1.PodInitialized, started),
			condition(corev1.PodReady, ready),
			condition(corev1.ContainersReady, ready),
			condition(corev1.PodScheduled, started),
		},
		ContainerStatuses: []corev1.ContainerStatus{{
			Name: running.Name, Image: running.Image, Ready: true, Started: &yes,
			State:       corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}},
			ImageID:     "registry.example.com/shop/" + running.Name + "@sha256:" + strings.Repeat("5e", 32),
			ContainerID: "containerd://" + strings.Repeat(strings.ReplaceAll(string(pod.UID), "-", ""), 2),
		}},
	}
}

// managedFields is who set which field, about as long as API servers send it.
func managedFields(service string, started, ready metav1.Time) []metav1.ManagedFieldsEntry {
	entry := func(manager, subresource string, at metav1.Time, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{
			Manager: manager, Subresource: subresource, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1",
			Time: &at, FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(fields)},
		}
	}
	var container strings.Builder
	for _, field := range [...]string{"image", "imagePullPolicy", "livenessProbe", "name", "readinessProbe", "resources", "terminationMessagePath", "terminationMessagePolicy", "volumeMounts"} {
		fmt.Fprintf(&container, `"f:%s":{},`, field)
	}
	for _, name := range [...]string{"EUREKA_CLIENT_SERVICEURL_DEFAULTZONE", "JAVA_TOOL_OPTIONS", "MANAGEMENT_SERVER_PORT", "POD_IP", "SERVER_PORT", "SPRING_APPLICATION_NAME", "SPRING_PROFILES_ACTIVE"} {
		fmt.Fprintf(&container, `"k:{\"name\":\"%s\"}":{".":{},"f:name":{},"f:value":{}},`, name)
	}
	template := `{"f:metadata":{"f:annotations":{".":{},"f:checksum/config":{}},"f:generateName":{},"f:labels":{".":{},"f:eurekube.io/service":{},"f:pod-template-hash":{}},"f:ownerReferences":{}},` +
		`"f:spec":{"f:containers":{"k:{\"name\":\"` + service + `\"}":{".":{},` + container.String() + `"f:ports":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:volumes":{}}}`
	var conditions strings.Builder
	for _, kind := range [...]string{"ContainersReady", "Initialized", "PodReadyToStartContainers", "Ready"} {
		fmt.Fprintf(&conditions, `"k:{\"type\":\"%s\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},`, kind)
	}
	observed := `{"f:status":{"f:conditions":{` + conditions.String() + `"f:observedGeneration":{}},"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:podIPs":{},"f:startTime":{}}}`
	return []metav1.ManagedFieldsEntry{
		entry("kube-controller-manager", "", started, template),
		entry("kubelet", "status", ready, observed),
	}
}

package controller

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/eurekube/eurekube/convertor"
)

// complete adds to a pod from a manifest what the API server and a kubelet
// would have, so that the rules for pods need no exception for manifests. It
// returns what makes the pod unusable, empty for nothing.
func complete(pod *corev1.Pod, edited time.Time, prefixes []string) string {
	if pod.Namespace == "" {
		pod.Namespace = metav1.NamespaceDefault
	}
	if mistakes := validation.IsDNS1123Subdomain(pod.Name); len(mistakes) > 0 {
		return fmt.Sprintf("metadata.name %q: %s", pod.Name, mistakes[0])
	}
	if mistakes := validation.IsDNS1123Label(pod.Namespace); len(mistakes) > 0 {
		return fmt.Sprintf("metadata.namespace %q: %s", pod.Namespace, mistakes[0])
	}
	if pod.UID == "" {
		pod.UID = types.UID(pod.Namespace + "/" + pod.Name)
	}
	// An edit of the file is an edit of the pod, whatever a copied manifest
	// says of edits at its origin.
	pod.ManagedFields = []metav1.ManagedFieldsEntry{{
		Operation: metav1.ManagedFieldsOperationUpdate,
		Time:      &metav1.Time{Time: edited},
	}}
	if pod.Status.Phase == "" {
		pod.Status.Phase = corev1.PodRunning
	}
	if len(pod.Status.Conditions) == 0 {
		since := pod.CreationTimestamp
		if since.IsZero() {
			since = metav1.Time{Time: edited}
		}
		pod.Status.Conditions = []corev1.PodCondition{{
			Type:               corev1.PodReady,
			Status:             corev1.ConditionTrue,
			LastTransitionTime: since,
		}}
	}
	if pod.Status.PodIP == "" && len(pod.Status.PodIPs) > 0 {
		pod.Status.PodIP = pod.Status.PodIPs[0].IP
	}
	if pod.Status.PodIP == "" {
		pod.Status.PodIP = advertisedAddress(pod, prefixes)
	}
	return ""
}

// dropNoAddresses takes away what nobody could call, which an API server would
// refuse, and says what it was. A manifest may name a machine instead of giving
// its IP.
func dropNoAddresses(pod *corev1.Pod) (causes []string) {
	status := &pod.Status
	if status.PodIP != "" && hostIn(status.PodIP) == "" {
		causes = append(causes, fmt.Sprintf("status.podIP %.80q of pod %s is neither an IP nor a host name", status.PodIP, pod.Name))
		status.PodIP = ""
	}
	status.PodIPs = slices.DeleteFunc(status.PodIPs, func(p corev1.PodIP) bool {
		bad := p.IP != "" && hostIn(p.IP) == ""
		if bad {
			causes = append(causes, fmt.Sprintf("status.podIPs %.80q of pod %s is neither an IP nor a host name", p.IP, pod.Name))
		}
		return bad
	})
	return causes
}

// advertisedAddress is the host that the manifest advertises, empty when that
// is neither an address nor a name.
func advertisedAddress(pod *corev1.Pod, prefixes []string) string {
	for _, prefix := range prefixes {
		advertised := pod.Annotations[prefix+"/"+convertor.NameAdvertiseHost]
		if host := hostIn(strings.Trim(strings.TrimSpace(advertised), "[]")); host != "" {
			return host
		}
	}
	return ""
}

// hostIn is the IP or host name that text consists of, empty for anything else.
func hostIn(text string) string {
	text = strings.TrimSpace(text)
	if ip, err := netip.ParseAddr(text); err == nil {
		return ip.String()
	}
	if convertor.IsHostName(text) {
		return text
	}
	return ""
}

// unlistable says why a pod will not be listed although its manifest was meant
// to, empty when nothing of that kind is missing.
func unlistable(pod *corev1.Pod, prefixes []string) string {
	labelled := false
	for _, prefix := range prefixes {
		_, ok := pod.Labels[prefix+"/"+convertor.NameService]
		labelled = labelled || ok
	}
	switch {
	case !labelled:
		return fmt.Sprintf("pod %s has no label %s of %s", pod.Name, convertor.NameService, strings.Join(prefixes, " or "))
	case pod.Status.PodIP == "" && pod.Status.Phase == corev1.PodRunning:
		return fmt.Sprintf("pod %s has neither status.podIP nor an annotation %s that is a host", pod.Name, convertor.NameAdvertiseHost)
	}
	return ""
}

package controller

import (
	"fmt"
	"net/netip"
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
	if pod.Status.PodIP == "" {
		pod.Status.PodIP = advertisedAddress(pod, prefixes)
	}
	return ""
}

// advertisedAddress is the host that the manifest advertises, empty when that
// is neither an address nor a name.
func advertisedAddress(pod *corev1.Pod, prefixes []string) string {
	for _, prefix := range prefixes {
		host := strings.TrimSpace(pod.Annotations[prefix+"/"+convertor.NameAdvertiseHost])
		if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
			return ip.String()
		}
		if len(validation.IsDNS1123Subdomain(strings.ToLower(host))) == 0 {
			return host
		}
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

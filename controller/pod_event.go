package controller

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// PodEvents says which Kubernetes Events are written on pods of the API server.
// Pods of manifests never have any.
type PodEvents string

// What may be written. The zero value is PodEventsNone.
const (
	PodEventsNone PodEvents = "none"
	// PodEventsUnlisted is for Warnings on what a person has to mend: the pod opted
	// in and cannot be listed, or a value of its labels or annotations is ignored.
	PodEventsUnlisted PodEvents = "unlisted"
	// PodEventsAll is for those, and for Normal Events when a pod comes into the
	// list and leaves it.
	PodEventsAll PodEvents = "all"
)

// Who writes the Events, as a qualified name and as one word.
const (
	reportingController = "eurekube.io/eurekube"
	sourceComponent     = "eurekube"
)

// The API server takes messages of 1024 bytes and names of 253.
const (
	maxEventMessage = 1024
	maxEventName    = 253
)

// podEvent is one Event on its way.
type podEvent struct {
	pod     corev1.ObjectReference
	kind    string // corev1.EventTypeNormal or corev1.EventTypeWarning
	reason  string
	message string
	// change tells apart transitions that have the same words; it is the pod's own
	// time or version. It is empty for a warning, which is one for as long as it
	// holds.
	change string
	seen   time.Time
}

// object is the Event as the API server keeps it. It is never updated, so its
// count stays 1.
func (e podEvent) object(host string) *corev1.Event {
	seen := metav1.NewTime(e.seen)
	return &corev1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: e.pod.Namespace, Name: e.name()},
		InvolvedObject:      e.pod,
		Type:                e.kind,
		Reason:              e.reason,
		Message:             shortened(e.message, maxEventMessage),
		FirstTimestamp:      seen,
		LastTimestamp:       seen,
		Count:               1,
		Source:              corev1.EventSource{Component: sourceComponent, Host: host},
		ReportingController: reportingController,
		ReportingInstance:   host,
	}
}

// name is the same on every replica and after a restart, so that the API server
// refuses what is there already: that is the whole deduplication.
func (e podEvent) name() string {
	sum := sha256.New()
	for _, part := range []string{string(e.pod.UID), e.reason, e.message, e.change} {
		sum.Write([]byte(part))
		sum.Write([]byte{0}) // no part holds it, so none runs into the next
	}
	suffix := "." + hex.EncodeToString(sum.Sum(nil)[:8])
	pod := e.pod.Name
	if len(pod) > maxEventName-len(suffix) {
		pod = strings.TrimRight(pod[:maxEventName-len(suffix)], "-.") // a name ends in a letter or digit
	}
	return pod + suffix
}

// shortened is s in at most limit bytes of valid UTF-8, with dots for what was
// left out.
func shortened(s string, limit int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= limit {
		return s
	}
	const left = "..."
	return strings.ToValidUTF8(s[:limit-len(left)], "") + left
}

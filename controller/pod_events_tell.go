package controller

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/eurekube/eurekube/convertor"
)

// Reasons of the Events on transitions.
const (
	reasonListed   = "Listed"
	reasonUnlisted = "Unlisted"
)

// tell offers Events on what the verdict now on a pod has that the one before
// lacked, which is the zero verdict if there was none. Comparing the two, and not
// events of a watch, is what keeps quiet about edits that decide nothing.
func (c *Controller) tell(seen sighting, before, now verdict) {
	p := c.podEvents
	if p == nil {
		return
	}
	name := cache.MetaObjectToName(seen.pod)
	if before.key != now.key {
		c.tellGone(name, before)
		before = verdict{}
	}
	if now.source.origin != originAPIServer {
		return
	}
	told := before.faults
	if p.takeUntold(name) {
		told = nil
	}
	for _, f := range now.faults {
		if !slices.Contains(told, f) {
			p.offer(podEvent{pod: now.reference(), kind: corev1.EventTypeWarning, reason: f.reason, message: f.message})
		}
	}
	// What the first list brings was listed before anybody looked.
	appeared := before.key != "" || seen.source.first.HasSynced()
	change := strconv.FormatInt(convertor.ChangedAt(seen.pod), 10)
	switch {
	case now.state.Listed && !before.state.Listed && appeared:
		p.transition(now.reference(), reasonListed, "Listed as instance "+now.id+" of "+now.app+".", change)
	case before.state.Listed && !now.state.Listed:
		words := cmp.Or(convertor.Fault(seen.pod, c.rules.Prefixes, now.state.Reason), now.state.Hint)
		p.transition(now.reference(), reasonUnlisted, "No longer listed, "+string(now.state.Reason)+": "+words, change)
	}
}

// tellGone ends the story of a pod that no source knows any more, with the zero
// verdict when it had ended already.
func (c *Controller) tellGone(name cache.ObjectName, before verdict) {
	if c.podEvents == nil {
		return
	}
	c.podEvents.takeUntold(name)
	if before.state.Listed && before.source.origin == originAPIServer {
		const message = "No longer listed: the pod was deleted, or its service label was removed."
		c.podEvents.transition(before.reference(), reasonUnlisted, message, before.resourceVersion)
	}
}

// transition offers an Event on a change, if those are wanted.
func (p *podEvents) transition(pod corev1.ObjectReference, reason, message, change string) {
	if p.mode == PodEventsAll {
		p.offer(podEvent{pod: pod, kind: corev1.EventTypeNormal, reason: reason, message: message, change: change})
	}
}

// reference names the pod of the verdict as Events do.
func (v verdict) reference() corev1.ObjectReference {
	return corev1.ObjectReference{
		APIVersion:      corev1.SchemeGroupVersion.String(),
		Kind:            "Pod",
		Namespace:       v.state.Namespace,
		Name:            v.state.Name,
		UID:             types.UID(strings.TrimPrefix(v.key, v.state.Namespace+"/"+v.state.Name+"/")),
		ResourceVersion: v.resourceVersion,
	}
}

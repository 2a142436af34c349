package controller

import "github.com/eurekube/eurekube/convertor"

// ReasonCancelled is the reason of a pod that is ready and whose application said
// that it ends. It is no reason of the convertor's: the pod itself does not show
// it.
const ReasonCancelled convertor.Reason = "cancelled"

// ReasonShadowed is the reason of a pod that is ready and whose place in the list
// another pod has: both have the same service, address and port, which make the
// instance id.
const ReasonShadowed convertor.Reason = "shadowed"

const cancelledHint = "Somebody, as a rule its application, cancelled its registration. It is listed again once its application registers (restart it), or when the pod is replaced."

// shadowedHint names the pod that is listed.
func shadowedHint(by string) string {
	return "Pod " + by + " has the same service, address and port, which only one process can have, and is listed in its place. Give one of them another address or port, or remove the one that ended."
}

// manifestHints are for the reasons that in a manifest only its author can end:
// there is no kubelet, and kubectl knows nothing of the pod.
var manifestHints = map[convertor.Reason]string{
	convertor.ReasonTerminating: "Remove metadata.deletionTimestamp from the manifest if the machine goes on running.",
	convertor.ReasonFinished:    "Remove status.phase from the manifest, or say Running, if the machine is running.",
	convertor.ReasonNotReady:    "See status.phase and status.conditions in the manifest: without both it is listed, otherwise once the phase is Running and the Ready condition is True.",
	convertor.ReasonNoIP:        "Give the manifest a status.podIP, or an annotation <prefix>/advertise-host that is an IP or a host name.",
}

// hint is what can be done about a reason for a pod of that origin.
func (from origin) hint(reason convertor.Reason) string {
	if hint, ok := manifestHints[reason]; ok && from == originManifests {
		return hint
	}
	return reason.Hint()
}

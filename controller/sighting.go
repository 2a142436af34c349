package controller

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	"k8s.io/client-go/tools/cache"
)

// sighting is a pod as the source knows it that knows it best.
type sighting struct {
	pod    *corev1.Pod
	source *source
	// hidden is a manifest of the same name, which counts for nothing beside a pod
	// of the API server.
	hidden *corev1.Pod
}

// find is the pod as it is now, without a pod when no source knows it. One that
// carries the labels of several prefixes is known to several sources and still
// one pod: the newest copy counts, since the watch of one source may be down.
// Sources are in the order API server, manifests.
func (c *Controller) find(name cache.ObjectName) sighting {
	var best sighting
	for _, s := range c.sourcesOf(name.Namespace) {
		pod := s.get(name)
		switch {
		case pod == nil:
		case best.pod == nil:
			best = sighting{pod: pod, source: s}
		case s.origin != best.source.origin:
			best.hidden = pod
		case older(best.pod.ResourceVersion, pod.ResourceVersion):
			best.pod, best.source = pod, s
		}
	}
	return best
}

// hiddenFile is where the manifest is that s hides, empty when there is none.
func (c *Controller) hiddenFile(s sighting) string {
	if s.hidden == nil {
		return ""
	}
	return cmp.Or(c.directory.view.Load().files[cache.MetaObjectToName(s.hidden)], "a file that was just removed")
}

// outdated reports whether a newer copy than s led to the verdict. It came from
// another source, which dropped the pod since: the pod is gone or lost that
// source's label, and only the watch of the source of s can tell which. Going
// back in time meanwhile would list a pod again that was terminating. A source
// that goes back itself, as after a restored backup, is believed.
func (s sighting) outdated(before verdict) bool {
	return before.source != nil && before.source != s.source && before.source.origin == s.source.origin &&
		older(s.pod.ResourceVersion, before.resourceVersion)
}

// older compares resource versions of pods of one origin. What cannot be
// compared is not older.
func older(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	return err == nil && order < 0
}

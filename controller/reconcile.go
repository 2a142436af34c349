package controller

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// work reconciles the pods in the queue until it is shut down. Nothing in a
// reconciliation can fail for a reason that a repetition would cure: what is
// wrong with a pod is the pod's fault and is explained, so nothing is retried.
func (c *Controller) work(ctx context.Context) {
	for {
		name, shutdown := c.queue.Get()
		if shutdown {
			return
		}
		c.reconcile(ctx, name)
		for _, s := range c.sourcesOf(name.Namespace) {
			s.first.Finished(name)
		}
		c.queue.Done(name)
	}
}

// reconcile makes the registry say of a pod what is true now. The queue hands
// a name to one worker at a time, so two never speak of the same pod.
func (c *Controller) reconcile(ctx context.Context, name cache.ObjectName) {
	arrival := c.latency.take(name)
	before, known := c.explained.get(name)
	seen := c.find(name)
	pod := seen.pod
	if pod == nil {
		if known {
			c.registry.Replace(registry.OwnerPod, before.key)
			c.explained.forget(name)
			klog.FromContext(ctx).V(4).Info("Pod was gone", "pod", klog.KRef(name.Parts()))
		}
		c.tellGone(name, before)
		return
	}

	if seen.outdated(before) {
		return
	}
	inst, warnings, err := convertor.Convert(pod, c.rules)
	now := c.explain(seen, inst, warnings, err)
	if known && before.key != now.key {
		// Another pod of the same name, as StatefulSets make: one process ended
		// and another began, which is not a change of the first.
		c.registry.Replace(registry.OwnerPod, before.key)
	}
	version, changed := c.registry.Replace(registry.OwnerPod, now.key, c.claim(pod, inst, err))
	if changed && now.up && !(before.up && before.key == now.key) {
		c.latency.turnedReady(arrival, version)
	}
	c.explained.set(name, now)
	c.tell(seen, before, now)
	if now.hiddenFile != "" && before.hiddenFile == "" {
		klog.FromContext(ctx).Info("Manifest is not used, the cluster has a pod of that name", "pod", klog.KRef(name.Parts()), "file", now.hiddenFile)
	}
	if before.state.Listed != now.state.Listed || before.state.Reason != now.state.Reason {
		klog.FromContext(ctx).V(4).Info("Pod was judged", "pod", klog.KRef(name.Parts()), "listed", now.state.Listed, "reason", now.state.Reason)
	}
}

// claim is what a pod says of its process. There is always one while the pod
// exists and opts in, so that an override of it lives as long. A hidden one with
// an instance also keeps what its application registered from being listed
// beside the pod or in its place.
func (c *Controller) claim(pod *corev1.Pod, inst *eureka.Instance, err error) registry.Claim {
	claim := registry.Claim{Instance: inst, Hidden: err != nil}
	if reason, ok := errors.AsType[convertor.Reason](err); ok {
		claim.Cause = registry.Cause(reason)
	}
	if inst == nil {
		return claim
	}
	for _, at := range convertor.Endpoints(pod, c.rules) {
		claim.Endpoints = append(claim.Endpoints, registry.Endpoint(at))
	}
	return claim
}

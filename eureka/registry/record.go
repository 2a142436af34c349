package registry

import (
	"maps"
	"slices"

	"github.com/eurekube/eurekube/eureka"
)

// record is one process: what its owners say, and what is listed for it, nil for
// nothing.
type record struct {
	claims  claimSet
	listed  *eureka.Instance
	touched bool // by the update that runs
}

// best is the claim of an owner that counts, nil without any. The same comes out
// in whatever order they spoke. Beside a pod, only the leases that are one with it
// count: a stranger may have registered under the pod's id.
func (rec *record) best(owner Owner) *claim {
	if owner == OwnerLease && rec.best(OwnerPod) != nil {
		return rec.first(func(c *claim) bool { return c.ofPod })
	}
	return rec.first(func(c *claim) bool { return c.by.owner == owner })
}

// first is the claim that outranks all others of those that count.
func (rec *record) first(counts func(*claim) bool) *claim {
	var first *claim
	for _, c := range rec.claims.list {
		if counts(c) && (first == nil || c.outranks(first)) {
			first = c
		}
	}
	return first
}

// leasesOfPod are the leases that are one with the pod, the latest first.
func (rec *record) leasesOfPod() []*claim {
	var found []*claim
	for _, c := range rec.claims.list {
		if c.ofPod {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *claim) int {
		if a.outranks(b) {
			return -1
		}
		return 1
	})
	return found
}

// sameAs reports whether a client could not tell two merged views apart. Of what
// only registered itself, a new registration is news even if it says the same;
// of a pod, other clocks alone are not: an annotation that
// concerns nobody would make every reader read again.
func (rec *record) sameAs(old, merged *eureka.Instance) bool {
	if rec.best(OwnerPod) == nil && (old.LastDirtyTimestamp != merged.LastDirtyTimestamp || old.Lease.RegistrationTimestamp != merged.Lease.RegistrationTimestamp) {
		return false
	}
	return old.SameDescription(merged)
}

// merge is the one view of a process that its claims leave, nil when it is not to
// be listed. Where there is a pod, it rules: its address and port, whether it is
// listed at all, and the life of what its application registered.
func (r *Registry) merge(rec *record) *eureka.Instance {
	pod, lease := rec.best(OwnerPod), rec.best(OwnerLease)
	switch {
	case pod == nil && lease == nil:
		return nil
	case pod == nil:
		return lease.visible()
	case pod.Hidden || r.isCancelled(pod.by.key):
		return nil
	}
	inst := pod.Instance
	operators := r.metadata[pod.by.key]
	switch {
	case lease != nil:
		inst = withLease(inst, lease.Instance, operators)
	case operators != nil:
		inst = withMetadata(inst, operators)
	}
	if override := r.overrides[pod.by.key]; override != "" {
		inst = overridden(inst, override)
	}
	return inst
}

func (c *claim) visible() *eureka.Instance {
	if c.Hidden {
		return nil
	}
	return c.Instance
}

// withLease is a pod's instance with what its application says of itself: more
// metadata, of which operators' and the pod's own keys stay, and its status where
// that is worse.
func withLease(pod, lease *eureka.Instance, operators map[string]string) *eureka.Instance {
	merged := withMetadata(pod, lease.Metadata, operators)
	if severity(lease.Status) > severity(pod.Status) {
		merged.Status = lease.Status
	}
	return merged
}

// withMetadata is a pod's instance with more metadata, the later the stronger, and
// the pod's own the strongest.
func withMetadata(pod *eureka.Instance, more ...map[string]string) *eureka.Instance {
	merged := *pod
	merged.Metadata = make(map[string]string, len(pod.Metadata))
	for _, metadata := range append(more, pod.Metadata) {
		maps.Copy(merged.Metadata, metadata)
	}
	return &merged
}

// severity orders statuses by how little an instance is to be called.
func severity(s eureka.Status) int {
	return slices.Index([]eureka.Status{eureka.StatusUp, eureka.StatusStarting, eureka.StatusOutOfService, eureka.StatusDown, eureka.StatusUnknown}, s)
}

// overridden is inst under an override, which wins over what is UP or out of
// service; that an instance is down, starting or unknown is believed (protocol
// section 5.7).
func overridden(inst *eureka.Instance, override eureka.Status) *eureka.Instance {
	o := *inst
	o.OverriddenStatus = override
	if o.Status == eureka.StatusUp || o.Status == eureka.StatusOutOfService {
		o.Status = override
	}
	return &o
}

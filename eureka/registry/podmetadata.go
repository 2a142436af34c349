package registry

import (
	"maps"

	"github.com/eurekube/eurekube/eureka"
)

// UpdatePodMetadata merges entries that an operator gives into the metadata of a
// pod, listed or not, until it ends. They win over what its application
// registered and yield to what the pod itself says. admit is asked under the
// registry's lock about all the metadata that the pod would have, which it must
// not change; its error is returned and then nothing was updated. For a pod that
// nobody speaks of known is false.
func (r *Registry) UpdatePodMetadata(podKey string, metadata map[string]string, admit func(all map[string]string) error) (known bool, err error) {
	r.setOfPod(podKey, CauseMetadata, func() bool {
		if known = r.isPod(podKey); !known {
			return false
		}
		merged := make(map[string]string, len(r.metadata[podKey])+len(metadata))
		maps.Copy(merged, r.metadata[podKey])
		maps.Copy(merged, metadata)
		if err = admit(r.metadataWith(podKey, merged)); err != nil {
			return false
		}
		r.metadata[podKey] = merged
		return true
	})
	return known, err
}

// metadataWith is all the metadata of a pod to which operators gave something.
func (r *Registry) metadataWith(podKey string, operators map[string]string) map[string]string {
	for _, c := range r.claims[claimKey{OwnerPod, podKey}] {
		if c.Instance == nil {
			continue
		}
		var registered map[string]string
		if lease := r.apps[c.Instance.App].records[c.home].best(OwnerLease); lease != nil {
			registered = lease.Instance.Metadata
		}
		return withMetadata(c.Instance, registered, operators).Metadata
	}
	return withMetadata(&eureka.Instance{}, operators).Metadata
}

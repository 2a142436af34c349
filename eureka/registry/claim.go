package registry

import (
	"cmp"

	"github.com/eurekube/eurekube/eureka"
)

// Claim is what an owner says of one process.
type Claim struct {
	// Instance describes it. It may be nil when the claim is Hidden and there is
	// nothing to tell but that the thing exists.
	Instance *eureka.Instance
	// Hidden says that the process is known and not to be listed, such as a pod
	// that is not ready: whoever else speaks of it does not get it listed either.
	Hidden bool
	// Endpoints are where the process is reached. A lease that shares one with a
	// pod of its app is the same process.
	Endpoints []Endpoint
	// Registered is when its holder registered last, in milliseconds since 1970, if
	// that is not what Instance says: a metadata update begins a lease anew too.
	// Of two leases of one pod the later registration counts.
	Registered int64
	// Cause is why the owner says it now, empty for the usual: a pod is ready or
	// changed, a lease registered.
	Cause Cause
}

// Endpoint is a host, by address or by name, and a port that a process listens
// on.
type Endpoint struct {
	Host string
	Port int
}

// Listed is the claim that inst is to be listed.
func Listed(inst *eureka.Instance, endpoints ...Endpoint) Claim {
	return Claim{Instance: inst, Endpoints: endpoints}
}

// claim is a Claim in its place.
type claim struct {
	Claim
	by   claimKey
	home string // id of the record that it is part of
	// ofPod says that it is a lease that shares an endpoint with a pod, and home
	// is the pod's.
	ofPod bool
}

// names reports whether c speaks of the same id of the same app as inst.
func (c *claim) names(inst *eureka.Instance) bool {
	if c.Instance == nil || inst == nil {
		return c.Instance == inst
	}
	return c.Instance.App == inst.App && c.Instance.ID == inst.ID
}

// outranks orders two claims of one owner on one record: what is to be listed
// first, of pods one that is UP before one that is not, then the later
// registration, then the greater key, so that every replica chooses alike.
//
// Two pods share a record when they have one address and port. Mostly the end of
// the earlier one has only not been seen yet, so the later one is the process.
// But two pods in the network of one node can ask for the same port: the one that
// came too late never becomes ready, and must not hide the one that has the port.
func (c *claim) outranks(other *claim) bool {
	if c.Hidden != other.Hidden {
		return other.Hidden
	}
	if c.by.owner == OwnerPod && c.isUp() != other.isUp() {
		return c.isUp()
	}
	mine, theirs := c.registered(), other.registered()
	if mine != theirs {
		return mine > theirs
	}
	return c.by.key > other.by.key
}

func (c *claim) registered() int64 {
	return cmp.Or(c.Registered, c.Instance.Lease.RegistrationTimestamp)
}

func (c *claim) isUp() bool { return c.Instance.Status == eureka.StatusUp }

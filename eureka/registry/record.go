package registry

import (
	"slices"

	"github.com/eurekube/eurekube/eureka"
)

// record is one process: what its owners say, and what is listed for it.
type record struct {
	claims []claim
	listed *eureka.Instance
}

// claim is what one key of one owner says of a process.
type claim struct {
	by   claimKey
	inst *eureka.Instance
}

// say replaces what by says; nil withdraws it.
func (r *record) say(by claimKey, inst *eureka.Instance) {
	i := slices.IndexFunc(r.claims, func(c claim) bool { return c.by == by })
	switch {
	case inst == nil && i >= 0:
		r.claims = slices.Delete(r.claims, i, i+1)
	case inst != nil && i >= 0:
		r.claims[i].inst = inst
	case inst != nil:
		r.claims = append(r.claims, claim{by, inst})
	}
}

// merge is the one view of a process that claims leave, nil without any. Of two
// pods with the same address, app and port the one that became ready later is
// the process: the other's end has not been seen yet, since an address serves
// one pod at a time. The same answer comes out in whatever order they spoke.
func merge(claims []claim) *eureka.Instance {
	var best *claim
	for i := range claims {
		if c := &claims[i]; best == nil || c.outranks(best) {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	return best.inst
}

// outranks orders two claims on one record: the later registration first, then
// the greater key, so that every replica chooses alike.
func (c *claim) outranks(other *claim) bool {
	mine, theirs := c.inst.Lease.RegistrationTimestamp, other.inst.Lease.RegistrationTimestamp
	if mine != theirs {
		return mine > theirs
	}
	return c.by.key > other.by.key
}

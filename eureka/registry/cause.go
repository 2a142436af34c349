package registry

import "cmp"

// Cause is why what is listed for an instance changed, for those who are told of
// changes. Causes are words without blanks, few in number. A pod that is not to be
// listed any more gives the reason that package convertor found.
type Cause string

// The causes beside the reasons of pods.
const (
	CauseReady       Cause = "ready"        // a pod is to be listed, and was not
	CauseChanged     Cause = "changed"      // a listed pod is described otherwise, perhaps under another id
	CauseDeleted     Cause = "deleted"      // a pod is not there any more
	CauseRegistered  Cause = "registered"   // an instance registered, for the first time or again
	CauseCancelled   Cause = "cancelled"    // an instance said that it ends, or somebody said so
	CauseExpired     Cause = "expired"      // its lease is over
	CauseNameClaimed Cause = "name-claimed" // its name belongs to pods now
	CauseOverride    Cause = "override"     // an operator set a status, or took it back
	CauseMetadata    Cause = "metadata"     // somebody updated its metadata
)

// causeOf is the cause of what owner's words on one thing, none for its end, lead
// to. Empty is a pod that is to be listed: whether that is news, how it is described
// or under which id it is listed is seen later.
func causeOf(owner Owner, claims []Claim) Cause {
	for _, c := range claims {
		if c.Cause != "" {
			return c.Cause
		}
	}
	switch {
	case owner == OwnerPod && len(claims) > 0:
		return ""
	case owner == OwnerPod:
		return CauseDeleted
	case len(claims) > 0:
		return CauseRegistered
	}
	return CauseCancelled
}

// causeOfListing is the cause of an instance's being listed, or described otherwise if it was.
func (u *update) causeOfListing(was bool) Cause {
	if was {
		return cmp.Or(u.cause, CauseChanged)
	}
	return cmp.Or(u.cause, CauseReady)
}

// causeOfRemoval is the cause of an instance's leaving the list. A pod that is to be
// listed takes one out when it has another id from now on, such as after its address
// changed.
func (u *update) causeOfRemoval() Cause { return cmp.Or(u.cause, CauseChanged) }

package lease

import (
	"errors"

	"github.com/eurekube/eurekube/eureka"
)

// ErrNotFound says that there is no such instance, or that the client must
// register again: its copy is newer than ours, or its status is UNKNOWN. On the
// wire it is a 404 without a body, the only answer that makes clients register
// again (field cases 25 and 27).
var ErrNotFound = errors.New("no such lease")

// ErrOff says that self-registration is switched off.
var ErrOff = errors.New("self-registration is off")

// ConflictError answers a peer whose heartbeat carries an older
// lastDirtyTimestamp than ours. On the wire it is a 409 with the instance as its
// body, which the peer adopts (protocol section 5.3). The lease was renewed.
type ConflictError struct {
	// Instance is ours, with its lease as it is now. The receiver owns it.
	Instance *eureka.Instance
}

// Error implements error.
func (e *ConflictError) Error() string {
	return "the peer's copy of " + e.Instance.App + "/" + e.Instance.ID + " is older"
}

// ForbiddenError refuses a registration because of who sent it. On the wire it
// is a 403 with the reason.
type ForbiddenError struct {
	// Reason is one sentence for the person who runs the application.
	Reason string
}

// Error implements error.
func (e *ForbiddenError) Error() string { return e.Reason }

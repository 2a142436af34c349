package eureka

import "strings"

// Status says whether an instance takes traffic. Clients route to [StatusUp]
// only, yet need every listed instance for their hash.
type Status string

// The five statuses of the protocol. [StatusUnknown] is also what an
// overridden status reads while no override is set.
const (
	StatusUp           Status = "UP"
	StatusDown         Status = "DOWN"
	StatusStarting     Status = "STARTING"
	StatusOutOfService Status = "OUT_OF_SERVICE"
	StatusUnknown      Status = "UNKNOWN"
)

// Statuses lists every status in alphabetical order, the order of the hash
// code. Callers must not change it.
var Statuses = [...]Status{StatusDown, StatusOutOfService, StatusStarting, StatusUnknown, StatusUp}

// ParseStatus reads a status word in any case, without surrounding space. It
// reports false for a word that is no status.
func ParseStatus(word string) (Status, bool) {
	s := Status(strings.ToUpper(word))
	_, ok := s.index()
	if !ok {
		return "", false
	}
	return s, true
}

// index is the place of s in Statuses.
func (s Status) index() (int, bool) {
	for i, known := range Statuses {
		if s == known {
			return i, true
		}
	}
	return 0, false
}

// ActionType says in a delta what happened to an instance. Clients ignore an
// entry without one, and their hash then no longer matches.
type ActionType string

// The three actions of a delta: not listed before, changed, no longer listed.
const (
	ActionAdded    ActionType = "ADDED"
	ActionModified ActionType = "MODIFIED"
	ActionDeleted  ActionType = "DELETED"
)

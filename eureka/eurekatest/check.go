package eurekatest

import (
	"context"
	"slices"
)

// Check is one fact about a server.
type Check struct {
	// Name is unique, of lower-case words and one slash, such as
	// "heartbeat/unknown".
	Name string
	// Fact is what has to hold, as a sentence.
	Fact string
	// Difference is the subject of the row of docs/differences.md by which this
	// project decided otherwise than Netflix; empty for what all servers do.
	Difference string
	// Slow says that it waits for a lease to end.
	Slow bool

	run func(ctx context.Context, s *session) error
}

// Checks returns all checks in the order in which they run. Any number of
// goroutines may call it.
func Checks() []Check {
	return slices.Concat(registrationChecks, contentChecks, heartbeatChecks, cancelChecks, statusChecks, metadataChecks,
		readChecks, formChecks, pathChecks, deltaChecks, batchChecks, leaseChecks)
}

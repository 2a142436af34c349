package client

import "sync/atomic"

// Mode is how a Discovery learns of changes.
type Mode string

// The modes, the best first. A server that lacks one is asked in the next, and for
// the better one again after ten minutes.
const (
	// ModeStream has the server tell each change as it comes.
	ModeStream Mode = "stream"
	// ModeLongPoll asks for the changes after the last one; the server answers when
	// there is one.
	ModeLongPoll Mode = "longPoll"
	// ModeDelta asks for the changes of the last minutes at each interval.
	ModeDelta Mode = "delta"
	// ModeFull reads the full list at each interval.
	ModeFull Mode = "full"
)

// Stats is what a Discovery did since it was made.
type Stats struct {
	// Mode is the one in use, empty before the first.
	Mode Mode
	// FullReads, Deltas and Events are full lists, deltas and events of a stream that
	// were taken over; the deltas of long polls are among them.
	FullReads, Deltas, Events uint64
	// HashMismatches is how many deltas did not lead to what the server has; each
	// was followed by a full read.
	HashMismatches uint64
	// Failures is how often a server could not be followed.
	Failures uint64
	// FileErrors is how often the file could not be read, also because it was
	// damaged, or not be written.
	FileErrors uint64
}

// counters are a Stats in the making.
type counters struct {
	mode                                                        atomic.Pointer[Mode]
	fullReads, deltas, events, mismatches, failures, fileErrors atomic.Uint64
}

// Stats are the figures as they are now, each for itself.
func (d *Discovery) Stats() Stats {
	s := Stats{
		FullReads: d.stats.fullReads.Load(), Deltas: d.stats.deltas.Load(), Events: d.stats.events.Load(),
		HashMismatches: d.stats.mismatches.Load(), Failures: d.stats.failures.Load(), FileErrors: d.stats.fileErrors.Load(),
	}
	if mode := d.stats.mode.Load(); mode != nil {
		s.Mode = *mode
	}
	return s
}

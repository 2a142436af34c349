package snapshot

import (
	"crypto/rand"
	"slices"
	"time"

	"github.com/eurekube/eurekube/eureka/registry"
)

// maxChanges is how many changes a feed keeps at most, of those within
// registry.DeltaWindow: as many as a restart of all instances of a large registry
// makes. Whoever is further behind is better served with the list.
const maxChanges = 10_000

// feed is the latest changes up to one snapshot. It never changes. The zero value is
// that of no snapshot.
type feed struct {
	epoch   string
	changes []*Change     // their sequence numbers end with last
	last    int64         // how many changes there were since the start
	moved   chan struct{} // closed when a snapshot with more changes is current
}

// next is the feed after f with the changes that are new, without those that are
// too old at now. What the first snapshot lists is no change: nobody saw it before.
func (f feed) next(found []*Change, now time.Time) feed {
	if f.epoch == "" {
		return feed{epoch: rand.Text()[:epochLength], moved: make(chan struct{})}
	}
	n := feed{epoch: f.epoch, last: f.last, moved: f.moved}
	if len(found) > 0 {
		n.moved = make(chan struct{})
	}
	for _, c := range found {
		n.last++
		c.Sequence, c.At = n.last, now
	}
	// A new slice each time, so that nothing holds the changes that are dropped.
	found = found[max(0, len(found)-maxChanges):]
	n.changes = slices.Concat(f.kept(now.Add(-registry.DeltaWindow), maxChanges-len(found)), found)
	return n
}

// kept are the changes of f that are not older than deadline, room at most.
func (f feed) kept(deadline time.Time, room int) []*Change {
	changes := f.changes[max(0, len(f.changes)-room):]
	for len(changes) > 0 && changes[0].At.Before(deadline) {
		changes = changes[1:]
	}
	return changes
}

// wake tells those who wait for more than f that next is there.
func (f feed) wake(next feed) {
	if f.moved != nil && f.last != next.last {
		close(f.moved)
	}
}

// Sequence is the sequence number of the latest change that s holds, 0 before the
// first one.
func (s *Snapshot) Sequence() int64 { return s.feed.last }

// Token names the place of s among the changes of this server.
func (s *Snapshot) Token() Token { return Token{s.feed.epoch, s.feed.last} }

// Since returns the changes after the place that token names, oldest first. It
// reports false if they are not known any more, or never were: the token is of
// another server or of an earlier start, older than registry.DeltaWindow, or more
// than 10,000 changes ago. Whoever asks needs the full list then. The slice is
// shared: it must not be edited.
func (s *Snapshot) Since(token Token) ([]*Change, bool) {
	missed := s.feed.last - token.Sequence
	if token.Epoch != s.feed.epoch || missed < 0 || missed > int64(len(s.feed.changes)) {
		return nil, false
	}
	return s.feed.changes[int64(len(s.feed.changes))-missed:], true
}

// Changes are all changes that s holds, oldest first: what is left to those for whom
// Since knows nothing. The slice is shared: it must not be edited.
func (s *Snapshot) Changes() []*Change { return s.feed.changes }

// Moved is closed when a snapshot that holds further changes is current. Any
// number of goroutines may wait for it; waiting keeps nothing but the goroutine.
func (s *Snapshot) Moved() <-chan struct{} { return s.feed.moved }

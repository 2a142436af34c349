package snapshot

import (
	"context"
	"sync"
	"time"
)

// patience is how long beyond the longest holdoff somebody waits for a
// publication: it does not come any more when the program ends.
const patience = time.Second

// Shown waits until a snapshot holds all that the registry was told before the
// call, and has it published without a holdoff: those who wait at the same time
// share a publication. It gives up when ctx ends, and soon when nothing is
// published any more; before the first snapshot it does not wait, since nobody can
// look. Any number of goroutines may call it.
func (p *Publisher) Shown(ctx context.Context) {
	want := p.config.Registry.Version()
	published, next := p.progress.look()
	if p.Current() == nil || published >= want {
		return
	}
	timeout := time.NewTimer(p.config.MaxHoldoff + patience)
	defer timeout.Stop()
	for published < want {
		select {
		case p.waiting <- struct{}{}:
		default: // somebody said so already
		}
		select {
		case <-ctx.Done():
			return
		case <-timeout.C:
			return
		case <-next:
			published, next = p.progress.look()
		}
	}
}

// ShownUnlessFlooded is Shown, but does not wait while changes come in a flood:
// thousands who register at once would come in no faster than snapshots are made.
func (p *Publisher) ShownUnlessFlooded(ctx context.Context) {
	if time.Now().UnixNano() >= p.floodUntil.Load() {
		p.Shown(ctx)
	}
}

// noteFlood judges the publication of version that began at start. A flood that
// it sees lasts until the next publication, or until there would be one if more
// came: whoever registers long after it is no part of it.
func (p *Publisher) noteFlood(version uint64, start time.Time) {
	until := int64(0)
	if p.rate.flooded(version, start, p.took) {
		until = p.last.Add(p.config.MaxHoldoff + p.took + floodWindow).UnixNano()
	}
	p.floodUntil.Store(until)
}

// A flood is floodChanges or more beyond one a publication within floodWindow, a
// thousand a second, or a burst in a snapshot that took longer than that to make.
// A client that waits for each of its changes is none, however fast it is: each
// has a publication of its own. Many that wait look few when snapshots take long,
// since they come in no faster than those.
const (
	floodChanges = 20
	floodWindow  = 20 * time.Millisecond
)

// rate tells a flood of changes. It belongs to Run.
type rate struct {
	began        time.Time
	version      uint64 // at began
	publications uint64 // since began
	published    uint64
	many         bool // beyond publications, in the latest window
}

// flooded notes a publication of version that began at now, and reports whether
// it is one of a flood.
func (r *rate) flooded(version uint64, now time.Time, took time.Duration) bool {
	slow := took > floodWindow && version-r.published >= burst
	r.published = version
	r.publications++
	if elapsed := now.Sub(r.began); elapsed >= floodWindow {
		surplus := float64(version-r.version) - float64(r.publications)
		r.many = surplus >= floodChanges*float64(elapsed)/float64(floodWindow)
		r.began, r.version, r.publications = now, version, 0
	}
	return r.many || slow
}

// progress is the version of the registry that was published last.
type progress struct {
	mu      sync.Mutex // guards all below
	version uint64
	next    chan struct{} // closed by the next publication, nil while nobody waits
}

// look returns what was published last and what the next publication closes.
func (p *progress) look() (version uint64, next <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = make(chan struct{})
	}
	return p.version, p.next
}

// reach notes a publication.
func (p *progress) reach(version uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.version = version
	if p.next != nil {
		close(p.next)
		p.next = nil
	}
}

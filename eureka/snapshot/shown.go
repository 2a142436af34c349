package snapshot

import (
	"context"
	"sync"
	"sync/atomic"
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
	if !p.flood.Load() {
		p.Shown(ctx)
	}
}

// A flood is floodChanges or more within floodWindow. One client that waits for
// each of its changes does not get that far.
const (
	floodChanges = 100
	floodWindow  = 20 * time.Millisecond
)

// rate tells a flood of changes. It belongs to Run, but for its outcome.
type rate struct {
	began   time.Time
	version uint64
}

// count notes that the registry is at version now.
func (r *rate) count(version uint64, now time.Time, flood *atomic.Bool) {
	elapsed := now.Sub(r.began)
	if elapsed < floodWindow {
		return
	}
	flood.Store(float64(version-r.version) >= floodChanges*float64(elapsed)/float64(floodWindow))
	r.began, r.version = now, version
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

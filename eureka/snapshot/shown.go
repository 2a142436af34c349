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
// call. It gives up when ctx ends, and soon when nothing is published any more;
// before the first snapshot it does not wait, since nobody can look. Any number
// of goroutines may call it.
func (p *Publisher) Shown(ctx context.Context) {
	p.await(ctx, func(published uint64, _ bool, want uint64) bool { return published >= want })
}

// ShownAtOnce is Shown, but does not wait for a publication that is held off
// because changes keep coming: whoever makes one of many must not be slowed down
// by the others.
func (p *Publisher) ShownAtOnce(ctx context.Context) {
	p.await(ctx, func(published uint64, heldOff bool, want uint64) bool { return published >= want || heldOff })
}

// await waits until done says so of what was published and what is wanted.
func (p *Publisher) await(ctx context.Context, done func(published uint64, heldOff bool, want uint64) bool) {
	want := p.config.Registry.Version()
	published, heldOff, next := p.progress.look()
	if p.Current() == nil || done(published, heldOff, want) {
		return
	}
	timeout := time.NewTimer(p.config.MaxHoldoff + patience)
	defer timeout.Stop()
	for !done(published, heldOff, want) {
		select {
		case <-ctx.Done():
			return
		case <-timeout.C:
			return
		case <-next:
			published, heldOff, next = p.progress.look()
		}
	}
}

// progress is the version of the registry that was published last, and whether
// the next one is held off.
type progress struct {
	mu      sync.Mutex // guards all below
	version uint64
	heldOff bool
	next    chan struct{} // closed when one of these changes, nil while nobody waits
}

// look returns how far it is and what its next change closes.
func (p *progress) look() (version uint64, heldOff bool, next <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = make(chan struct{})
	}
	return p.version, p.heldOff, p.next
}

// holdOff notes that the next publication waits for more changes.
func (p *progress) holdOff() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heldOff = true
	p.tell()
}

// reach notes a publication.
func (p *progress) reach(version uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.version, p.heldOff = version, false
	p.tell()
}

// tell wakes those who wait. The caller holds mu.
func (p *progress) tell() {
	if p.next != nil {
		close(p.next)
		p.next = nil
	}
}

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
	p.await(ctx, stage.shows)
}

// ShownAtOnce is Shown, but does not wait for a publication that is held off
// because changes keep coming, nor for one that is under way without what the
// registry was told last: whoever makes one of many must not be slowed down by
// the others.
func (p *Publisher) ShownAtOnce(ctx context.Context) {
	p.await(ctx, func(s stage, version uint64) bool { return s.shows(version) || s.postpones(version) })
}

// await waits until done says so of the stage of publication and of the
// registry's version at the call.
func (p *Publisher) await(ctx context.Context, done func(s stage, version uint64) bool) {
	version := p.config.Registry.Version()
	s, next := p.progress.look()
	if p.Current() == nil || done(s, version) {
		return
	}
	timeout := time.NewTimer(p.config.MaxHoldoff + patience)
	defer timeout.Stop()
	for !done(s, version) {
		select {
		case <-ctx.Done():
			return
		case <-timeout.C:
			return
		case <-next:
			s, next = p.progress.look()
		}
	}
}

// stage is how far publication is, in versions of the registry.
type stage struct {
	published uint64 // the last one that was
	coming    uint64 // the one that is being published or, if none is, was
	heldOff   bool   // what is newer than coming waits for others
}

// shows reports whether a snapshot holds version.
func (s stage) shows(version uint64) bool { return s.published >= version }

// postpones reports whether version is published later and with others.
func (s stage) postpones(version uint64) bool { return s.heldOff && version > s.coming }

// progress is the stage and who waits for the next one.
type progress struct {
	mu    sync.Mutex // guards all below
	stage stage
	next  chan struct{} // closed when stage changes, nil while nobody waits
}

// look returns the stage and what its next change closes.
func (p *progress) look() (stage, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil {
		p.next = make(chan struct{})
	}
	return p.stage, p.next
}

// holdOff notes that the next publication waits for more changes.
func (p *progress) holdOff() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stage.heldOff = true
	p.tell()
}

// begin notes that version is being published. What comes during that comes soon
// after a publication, and so is held off.
func (p *progress) begin(version uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stage.coming, p.stage.heldOff = version, true
	p.tell()
}

// reach notes the end of a publication.
func (p *progress) reach() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stage.published, p.stage.heldOff = p.stage.coming, false
	p.tell()
}

// tell wakes those who wait. The caller holds mu.
func (p *progress) tell() {
	if p.next != nil {
		close(p.next)
		p.next = nil
	}
}

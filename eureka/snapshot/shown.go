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
	if p.Current() == nil {
		return
	}
	want := p.config.Registry.Version()
	published, next := p.progress.look()
	if published >= want {
		return
	}
	timeout := time.NewTimer(p.config.MaxHoldoff + patience)
	defer timeout.Stop()
	for published < want {
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

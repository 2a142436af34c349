package auth

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/crypto/bcrypt"
)

// ErrBusy says that too many pairs wait to be compared by bcrypt, so that nobody
// knows whether this one is right. It passes within seconds.
var ErrBusy = errors.New("too many passwords wait to be compared")

// maxPending is how many different pairs may wait or be compared at once. Bcrypt
// takes a tenth of a second at the usual cost, so the last one waits for few
// seconds, less than clients do.
const maxPending = 32

// judge has bcrypt compare pairs: each once, however many ask at the same time,
// and as many at once as leave the other processors to those who are known.
type judge struct {
	compare func(hash, password []byte) error // by bcrypt
	slots   chan struct{}

	mu      sync.Mutex // guards pending
	pending map[attempt]*verdict
}

// attempt is a pair that is shown while a content of the file is in force.
type attempt struct {
	table *table
	shown fingerprint
}

// verdict is what becomes of an attempt. The rest is set before done is closed.
type verdict struct {
	done   chan struct{}
	judged bool // false when whoever was to see to it left
	right  bool
}

func newJudge() *judge {
	return &judge{
		compare: bcrypt.CompareHashAndPassword,
		slots:   make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		pending: make(map[attempt]*verdict),
	}
}

// of waits for the verdict on a: that of somebody else who asks the same, or that
// of ask, which is called by one at a time for each attempt. The errors are
// ErrBusy and that of ctx.
func (j *judge) of(ctx context.Context, a attempt, ask func() bool) (bool, error) {
	for {
		v, ours, err := j.join(a)
		if err != nil {
			return false, err
		}
		if ours {
			return j.decide(ctx, a, v, ask)
		}
		select {
		case <-v.done:
			if v.judged {
				return v.right, nil
			}
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// join returns the verdict that is to come on a; it is the caller's to give if
// nobody sees to it yet.
func (j *judge) join(a attempt) (v *verdict, ours bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if v = j.pending[a]; v != nil {
		return v, false, nil
	}
	if len(j.pending) >= maxPending {
		return nil, false, ErrBusy
	}
	v = &verdict{done: make(chan struct{})}
	j.pending[a] = v
	return v, true, nil
}

// decide gives the verdict on a, when there is a slot for it before ctx ends.
func (j *judge) decide(ctx context.Context, a attempt, v *verdict, ask func() bool) (bool, error) {
	defer func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		delete(j.pending, a)
		close(v.done)
	}()
	select {
	case j.slots <- struct{}{}:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer func() { <-j.slots }()
	v.judged, v.right = true, ask()
	return v.right, nil
}

package app

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// observedLock notes up to which of this replica's changes the leader before held the
// lock, and says when the API server stops to serve it and when it serves it again:
// client-go would say so every two seconds.
//
// Places are of this replica alone, and so is the clock that orders them: the time in a
// Lease is that of another machine, and only tells whether the lock was renewed
// (decision 0034).
type observedLock struct {
	resourcelock.Interface
	logger  klog.Logger
	place   func() snapshot.Token
	failing atomic.Bool

	mu sync.Mutex // guards what follows
	// renewal is the latest one that was seen, by whomever.
	renewal time.Time
	// seen are the places at which the lock was read the last two times.
	seen [2]snapshot.Token
	// held is a place at which the leader before held the lock.
	held snapshot.Token
	// own is the place of this replica's latest renewal, and ownRenewal its time.
	own        snapshot.Token
	ownRenewal time.Time
}

// Get implements resourcelock.Interface.
func (l *observedLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	at := l.place()
	record, raw, err := l.Interface.Get(ctx)
	l.note(err)
	if err == nil && record.HolderIdentity != l.Identity() {
		l.read(record.RenewTime.Time, at)
	}
	return record, raw, err
}

// read notes what the lock said of its renewal. One that is news came after the lock was
// read the last time, which is so a place at which it was held. A reading earlier is
// taken instead, since two replicas do not see a change at the same moment.
func (l *observedLock) read(renewal time.Time, at snapshot.Token) {
	l.mu.Lock()
	defer l.mu.Unlock()
	first := snapshot.Token{Epoch: at.Epoch} // before the first reading anybody may have led
	if l.seen[0] == (snapshot.Token{}) {
		l.seen = [2]snapshot.Token{first, first}
	}
	if !renewal.Equal(l.renewal) {
		l.renewal, l.held = renewal, l.seen[0]
	}
	l.seen = [2]snapshot.Token{l.seen[1], at}
}

// Create implements resourcelock.Interface.
func (l *observedLock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	at := l.place()
	err := l.Interface.Create(ctx, record)
	l.wrote(record, at, err)
	return err
}

// Update implements resourcelock.Interface. A release keeps the time of the latest
// renewal, when this replica surely led: its term ended before it asked for the Lease
// to release it, and what changed in between is the next leader's to tell.
func (l *observedLock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	at := l.place()
	if record.HolderIdentity == "" {
		l.mu.Lock()
		record.RenewTime.Time, at = l.ownRenewal, l.own
		l.mu.Unlock()
	}
	err := l.Interface.Update(ctx, record)
	l.wrote(record, at, err)
	return err
}

func (l *observedLock) wrote(record resourcelock.LeaderElectionRecord, at snapshot.Token, err error) {
	l.note(err)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.own, l.ownRenewal = at, record.RenewTime.Time
	l.seen = [2]snapshot.Token{at, at}
}

// ended notes the end of a term of this replica. If it leads again and nobody did
// meanwhile, what changed since it could renew the last time is still to be told.
func (l *observedLock) ended() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.own != (snapshot.Token{}) {
		l.held, l.renewal = l.own, l.ownRenewal
	}
}

// note does not count what is part of every election: that there is no Lease yet,
// and that another replica was quicker.
func (l *observedLock) note(err error) {
	failed := err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) && !apierrors.IsAlreadyExists(err) && !errors.Is(err, context.Canceled)
	if failed == l.failing.Swap(failed) {
		return
	}
	if failed {
		l.logger.Error(err, "The Lease of those who tell webhooks is out of reach, nobody is told while it is", "lease", l.Describe())
		return
	}
	l.logger.Info("The Lease of those who tell webhooks is within reach again", "lease", l.Describe())
}

// after is the place from which a term of this replica begins.
func (l *observedLock) after() snapshot.Token {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held
}

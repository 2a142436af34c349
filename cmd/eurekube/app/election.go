package app

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// How long a leader that is gone keeps others waiting, how long one that cannot
// renew goes on, and how often both are tried: client-go's own defaults. A leader
// that ends in peace says so, and the next one begins within a retry, which chance
// makes up to 2.2 times as long.
const (
	electionLease = 15 * time.Second
	electionRenew = 10 * time.Second
	electionRetry = 2 * time.Second
)

// election has one replica at a time do something, by a Lease.
type election struct {
	client   kubernetes.Interface
	lease    types.NamespacedName
	identity string // of this replica, made unique
	// ready is closed when this replica knows what it would tell: one that waits for
	// its first list must not keep the Lease from those who have theirs.
	ready <-chan struct{}
	// lead is what the leader does until its context ends. since is when the leader
	// before, be it this replica, was seen last; zero if there was none.
	lead func(ctx context.Context, since time.Time) error
}

// run takes part until ctx ends. It returns when lead has returned.
func (e *election) run(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-e.ready:
	}
	logger := klog.FromContext(ctx)
	lock := &observedLock{logger: logger, Interface: &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: e.lease.Namespace, Name: e.lease.Name},
		Client:     e.client.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: e.identity + "_" + string(uuid.NewUUID())},
	}}
	// client-go does not wait for what it calls when a term begins, so terms are
	// handed to a goroutine that does one after the other.
	terms := make(chan context.Context)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:            lock,
		Name:            e.lease.String(),
		LeaseDuration:   electionLease,
		RenewDeadline:   electionRenew,
		RetryPeriod:     electionRetry,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(leading context.Context) {
				select {
				case terms <- leading:
				case <-leading.Done():
				}
			},
			OnStoppedLeading: lock.ended, // and so has the term's context
		},
	})
	if err != nil {
		return err
	}
	actors, ctx := errgroup.WithContext(ctx)
	actors.Go(func() error {
		for ctx.Err() == nil {
			elector.Run(klog.NewContext(ctx, klog.Logger{}))
		}
		return nil
	})
	actors.Go(func() error {
		for {
			select {
			case <-ctx.Done():
				return nil
			case term := <-terms:
				since := lock.since()
				logger.Info("This server tells webhooks from now on", "since", since)
				if err := e.lead(klog.NewContext(term, logger), since); err != nil {
					return err
				}
				logger.Info("This server does not tell webhooks any more")
			}
		}
	})
	return actors.Wait()
}

// observedLock notes when the leader before held the lock last, and says when the API
// server stops to serve it and when it serves it again: client-go would say so every
// two seconds.
type observedLock struct {
	resourcelock.Interface
	logger  klog.Logger
	held    atomic.Pointer[time.Time] // by the leader before
	renewed atomic.Pointer[time.Time] // by this replica
	failing atomic.Bool
}

// Get implements resourcelock.Interface.
func (l *observedLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record, raw, err := l.Interface.Get(ctx)
	l.note(err)
	if err == nil && record.HolderIdentity != l.Identity() {
		l.held.Store(&record.RenewTime.Time)
	}
	return record, raw, err
}

// Create implements resourcelock.Interface.
func (l *observedLock) Create(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	err := l.Interface.Create(ctx, record)
	l.wrote(record, err)
	return err
}

// Update implements resourcelock.Interface. A release keeps the time of the latest
// renewal, when this replica surely led: its term ended before it asked for the Lease
// to release it, and what changed in between is the next leader's to tell.
func (l *observedLock) Update(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	if renewed := l.renewed.Load(); record.HolderIdentity == "" && renewed != nil {
		record.RenewTime.Time = *renewed
	}
	err := l.Interface.Update(ctx, record)
	l.wrote(record, err)
	return err
}

func (l *observedLock) wrote(record resourcelock.LeaderElectionRecord, err error) {
	l.note(err)
	if err == nil {
		l.renewed.Store(&record.RenewTime.Time)
	}
}

// ended notes the end of a term of this replica. If it leads again and nobody did
// meanwhile, what changed since it could renew the last time is still to be told.
func (l *observedLock) ended() {
	if renewed := l.renewed.Load(); renewed != nil {
		l.held.Store(renewed)
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

func (l *observedLock) since() time.Time {
	if held := l.held.Load(); held != nil {
		return *held
	}
	return time.Time{}
}

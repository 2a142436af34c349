package app

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/snapshot"
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
	// place is how far the changes of this replica are; it is called when ready is
	// closed.
	place func() snapshot.Token
	// lead is what the leader does until its context ends. after is a place at which
	// the leader before, be it this replica, surely led; zero if there was none.
	lead func(ctx context.Context, after snapshot.Token) error
}

// run takes part until ctx ends. It returns when lead has returned.
func (e *election) run(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case <-e.ready:
	}
	lock := &observedLock{logger: klog.FromContext(ctx), place: e.place, Interface: &resourcelock.LeaseLock{
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
	actors.Go(func() error { return e.serve(ctx, terms, lock) })
	return actors.Wait()
}

// serve leads in one term after the other until ctx ends.
func (e *election) serve(ctx context.Context, terms <-chan context.Context, lock *observedLock) error {
	logger := klog.FromContext(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil
		case term := <-terms:
			after := lock.after()
			logger.Info("This server tells webhooks from now on", "afterSequence", after.Sequence)
			if err := e.lead(klog.NewContext(term, logger), after); err != nil {
				return err
			}
			logger.Info("This server does not tell webhooks any more")
		}
	}
}

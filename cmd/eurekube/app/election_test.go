package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"
)

// candidates are replicas that take part in one election, and what they did.
type candidates struct {
	*testing.T
	cluster *fake.Clientset
	began   time.Time

	mu   sync.Mutex // guards what follows
	told []string
}

// join starts a replica and returns what stops it and waits for its end.
func (c *candidates) join(name string) (stop func()) {
	ready := make(chan struct{})
	close(ready)
	return c.joinWhen(ready, name)
}

func (c *candidates) joinWhen(ready <-chan struct{}, name string) (stop func()) {
	ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), ktesting.NewLogger(c.T, ktesting.NewConfig())))
	ended := make(chan error)
	e := &election{client: c.cluster, lease: types.NamespacedName{Namespace: "registry", Name: "eurekube-webhook"}, identity: name, ready: ready,
		lead: func(ctx context.Context, since time.Time) error {
			seen := "nobody before"
			if !since.IsZero() {
				seen = fmt.Sprint("since ", since.Sub(c.began).Truncate(10*time.Second))
			}
			c.tell(name, "leads,", seen)
			<-ctx.Done()
			c.tell(name, "leads no more")
			return nil
		}}
	go func() { ended <- e.run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			c.Error(err)
		}
	})
}

func (c *candidates) tell(words ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = append(c.told, fmt.Sprintln(words...))
}

func (c *candidates) expect(want ...string) {
	c.Helper()
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if diff := cmp.Diff(want, c.told); diff != "" {
		c.Errorf("told (-want +got):\n%s", diff)
	}
	c.told = nil
}

func TestElection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &candidates{T: t, cluster: fake.NewClientset(), began: time.Now()}
		var away atomic.Bool // for the second
		c.cluster.PrependReactor("update", "leases", func(action clienttesting.Action) (bool, runtime.Object, error) {
			lease := action.(clienttesting.UpdateAction).GetObject().(*coordinationv1.Lease)
			return away.Load() && !strings.HasPrefix(*lease.Spec.HolderIdentity, "third_"), nil, errors.New("etcd is away")
		})
		stopFirst := c.join("first")
		time.Sleep(electionRetry)
		c.expect("first leads, nobody before\n")

		stopSecond := c.join("second")
		defer stopSecond()
		time.Sleep(time.Minute)
		c.expect()

		// One that ends in peace releases the Lease, and the next begins at once.
		stopFirst()
		time.Sleep(3 * electionRetry)
		c.expect("first leads no more\n", "second leads, since 1m0s\n")

		// One that cannot renew ends before another begins, and waits for its turn.
		stopThird := c.join("third")
		defer stopThird()
		away.Store(true)
		time.Sleep(2 * electionLease)
		c.expect("second leads no more\n", "third leads, since 1m0s\n")
	})
}

// A leader that could not renew and leads again, as nobody did meanwhile, tells what
// it missed.
func TestElection_ALeaderComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &candidates{T: t, cluster: fake.NewClientset(), began: time.Now()}
		var away atomic.Bool
		c.cluster.PrependReactor("*", "leases", func(clienttesting.Action) (bool, runtime.Object, error) {
			return away.Load(), nil, errors.New("etcd is away")
		})
		defer c.join("only")()
		time.Sleep(time.Minute)
		c.expect("only leads, nobody before\n")

		away.Store(true)
		time.Sleep(5 * time.Minute)
		c.expect("only leads no more\n")

		away.Store(false)
		time.Sleep(3 * electionRetry)
		c.expect("only leads, since 1m0s\n")
	})
}

// What changes after a leader stopped to tell and before it could release the Lease
// is told by the next one.
func TestElection_NothingIsMissedAtARelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &candidates{T: t, cluster: fake.NewClientset(), began: time.Now()}
		var slow atomic.Bool
		c.cluster.PrependReactor("get", "leases", func(clienttesting.Action) (bool, runtime.Object, error) {
			if slow.Load() {
				time.Sleep(3 * time.Second)
			}
			return false, nil, nil
		})
		stop := c.join("first")
		time.Sleep(time.Minute + 9*time.Second)
		c.expect("first leads, nobody before\n")

		slow.Store(true)
		stop()
		slow.Store(false)
		defer c.join("second")()
		time.Sleep(3 * electionRetry)
		c.expect("first leads no more\n", "second leads, since 1m0s\n")
	})
}

// A replica that has no list yet does not keep the Lease from one that has.
func TestElection_WhoHasNoListDoesNotTakePart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &candidates{T: t, cluster: fake.NewClientset(), began: time.Now()}
		ready := make(chan struct{})
		defer c.joinWhen(ready, "waiting")()
		time.Sleep(time.Minute)
		c.expect()

		stop := c.join("synced")
		time.Sleep(electionRetry)
		c.expect("synced leads, nobody before\n")

		close(ready)
		stop()
		time.Sleep(3 * electionRetry)
		c.expect("synced leads no more\n", "waiting leads, since 1m0s\n")
	})
}

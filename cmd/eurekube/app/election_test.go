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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/eureka/snapshot"
)

// candidates are replicas that take part in one election, and what they did.
type candidates struct {
	*testing.T
	cluster *fake.Clientset
	began   time.Time

	mu    sync.Mutex // guards what follows
	told  []string
	after int64 // where the latest leader began
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
	// Each replica counts its own changes, of which there is one a second.
	place := func() snapshot.Token {
		return snapshot.Token{Epoch: name, Sequence: int64(time.Since(c.began) / time.Second)}
	}
	e := &election{client: c.cluster, lease: types.NamespacedName{Namespace: "registry", Name: "eurekube-webhook"}, identity: name, ready: ready, place: place,
		lead: func(ctx context.Context, after snapshot.Token) error {
			seen := "nobody before"
			if after != (snapshot.Token{}) {
				seen = "after its own change"
				if after.Epoch != name {
					seen = "after another's change"
				}
			}
			c.tell(name, "leads,", seen)
			c.mu.Lock()
			c.after = after.Sequence
			c.mu.Unlock()
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

// oldest is how long before the latest renewal the next leader begins at most: it looks
// at the Lease twice in between, at random moments, each up to 2.2 retries apart.
const oldest = 2 * 22 * electionRetry / 10

// expectAfter checks that the latest leader began before the leader before renewed the
// Lease last, which it did within the retry before the given time, and not long before.
func (c *candidates) expectAfter(last time.Duration) {
	c.Helper()
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	began := time.Duration(c.after+1) * time.Second // rounded down
	if earliest := last - electionRetry - oldest; began < earliest || began > last+time.Second {
		c.Errorf("it began with what changed after %v, want from %v to %v", began, earliest, last)
	}
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
		stopped := time.Since(c.began)
		time.Sleep(3 * electionRetry)
		c.expect("first leads no more\n", "second leads, after its own change\n")
		c.expectAfter(stopped)

		// One that cannot renew ends before another begins, and waits for its turn.
		stopThird := c.join("third")
		defer stopThird()
		time.Sleep(time.Minute)
		away.Store(true)
		stopped = time.Since(c.began)
		time.Sleep(2 * electionLease)
		c.expect("second leads no more\n", "third leads, after its own change\n")
		c.expectAfter(stopped)
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
		c.expect("only leads, after its own change\n")
		c.expectAfter(time.Minute)
	})
}

// What changes after a leader stopped to tell and before it could release the Lease
// is told by the next one: the Lease says when the leader surely led.
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
		time.Sleep(time.Minute)
		c.expect("first leads, nobody before\n")

		slow.Store(true)
		stop()
		slow.Store(false)
		lease, err := c.leases().Get(t.Context(), "eurekube-webhook", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if *lease.Spec.HolderIdentity != "" || lease.Spec.RenewTime.Sub(c.began) > time.Minute {
			t.Errorf("the Lease of %q was renewed after %v, want that of nobody, renewed before it was to be released after 1m0s", *lease.Spec.HolderIdentity, lease.Spec.RenewTime.Sub(c.began))
		}
	})
}

// The clock of the machine that led before does not matter.
func TestElection_ClocksDiffer(t *testing.T) {
	for _, ahead := range []time.Duration{-time.Hour, -5 * time.Second, 5 * time.Second, time.Hour} {
		for _, end := range []string{"crash", "release"} {
			t.Run(fmt.Sprint(ahead, " ", end), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					c := &candidates{T: t, cluster: fake.NewClientset(), began: time.Now()}
					renew := c.lead("another", ahead)
					defer c.join("ours")()
					for range 10 {
						time.Sleep(electionRetry)
						renew()
					}
					if last := time.Since(c.began); end == "release" {
						time.Sleep(electionRetry / 2)
						c.release()
						time.Sleep(3 * electionRetry)
						c.expectAfter(last)
					} else {
						time.Sleep(2 * electionLease)
						c.expectAfter(last)
					}
					c.expect("ours leads, after its own change\n")
				})
			})
		}
	}
}

func (c *candidates) leases() coordinationclient.LeaseInterface {
	return c.cluster.CoordinationV1().Leases("registry")
}

// lead has a server of another machine hold the Lease, and returns what renews it. Its
// clock is ahead.
func (c *candidates) lead(holder string, ahead time.Duration) (renew func()) {
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: "eurekube-webhook", Namespace: "registry"}}
	lease.Spec.HolderIdentity, lease.Spec.LeaseDurationSeconds = &holder, new(int32(electionLease/time.Second))
	lease.Spec.RenewTime = &metav1.MicroTime{Time: time.Now().Add(ahead)}
	if _, err := c.leases().Create(c.Context(), lease, metav1.CreateOptions{}); err != nil {
		c.Fatal(err)
	}
	return func() {
		c.update(func(spec *coordinationv1.LeaseSpec) { spec.RenewTime = &metav1.MicroTime{Time: time.Now().Add(ahead)} })
	}
}

// release has nobody hold the Lease.
func (c *candidates) release() {
	c.update(func(spec *coordinationv1.LeaseSpec) {
		spec.HolderIdentity, spec.LeaseDurationSeconds = new(""), new(int32(1))
	})
}

func (c *candidates) update(change func(*coordinationv1.LeaseSpec)) {
	c.Helper()
	lease, err := c.leases().Get(c.Context(), "eurekube-webhook", metav1.GetOptions{})
	if err != nil {
		c.Fatal(err)
	}
	change(&lease.Spec)
	if _, err := c.leases().Update(c.Context(), lease, metav1.UpdateOptions{}); err != nil {
		c.Fatal(err)
	}
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
		c.expect("synced leads no more\n", "waiting leads, after its own change\n")
	})
}

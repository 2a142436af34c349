package registry

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// Owner is a kind of source that says something of instances.
type Owner string

// The owners. A key of theirs names one thing that they speak of.
const (
	// OwnerPod says what a Kubernetes pod or a pod manifest is. Its keys are
	// namespace/name/uid.
	OwnerPod Owner = "pod"
	// OwnerLease says what registered itself. Its keys are those of LeaseKey.
	OwnerLease Owner = "lease"
)

// LeaseKey is the key of OwnerLease for the instance that registered as id of
// app. The app is in upper case.
func LeaseKey(app, id string) string {
	return strconv.Itoa(len(app)) + ":" + app + id // any text may be in both
}

// SplitLeaseKey is the inverse of LeaseKey.
func SplitLeaseKey(key string) (app, id string) {
	length, names, _ := strings.Cut(key, ":")
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 || n > len(names) {
		return "", "" // no key of ours
	}
	return names[:n], names[n:]
}

// DeltaWindow is how long a change stays in the delta (protocol section 5.13):
// several of the clients' polling intervals of 30 seconds.
const DeltaWindow = 3 * time.Minute

// Registry is all owners' words and their merger. Its methods may be called by
// many goroutines at once; Drain and Forget by one publisher.
type Registry struct {
	now              func() time.Time
	changed          chan struct{}
	overridesChanged chan struct{}
	leaseEnded       func(key, podKey string)

	mu         sync.Mutex // guards all below
	version    uint64
	claims     map[claimKey][]*claim
	apps       map[string]*app
	registered registered
	holders    holders
	census     eureka.Census
	overrides  map[string]eureka.Status     // by pod key
	metadata   map[string]map[string]string // that operators gave, by pod key; the inner ones never change
	cancelled  map[string]turn              // of pods that were ever cancelled, by pod key
	recent     []recentChange               // oldest first
	dirty      map[string]bool              // apps that differ from what was drained last: true if listed instances do, not only recent changes
}

// claimKey names one thing that an owner speaks of, such as one pod.
type claimKey struct {
	owner Owner
	key   string
}

// recordKey names a record: the app and the instance id that it is listed by.
type recordKey struct {
	app, id string
}

// New returns an empty registry that tells the time of removals by now.
func New(now func() time.Time) *Registry {
	return &Registry{
		now:              now,
		changed:          make(chan struct{}, 1),
		overridesChanged: make(chan struct{}, 1),
		leaseEnded:       func(string, string) {},
		claims:           make(map[claimKey][]*claim),
		apps:             make(map[string]*app),
		registered:       make(registered),
		holders:          newHolders(),
		overrides:        make(map[string]eureka.Status),
		metadata:         make(map[string]map[string]string),
		cancelled:        make(map[string]turn),
		dirty:            make(map[string]bool),
	}
}

// OnLeaseEnd has ended called, without any lock held, with the key of each lease
// that was one with a pod and ended because the pod is gone or has too many, and
// with that pod's key. It must be set before the registry is used.
func (r *Registry) OnLeaseEnd(ended func(key, podKey string)) {
	r.leaseEnded = ended
}

// Replace makes claims all that owner's key says; none ends what it said before
// and, for a pod, all that hangs on it: its override and the leases that are the
// same process. The registry takes the instances over: the caller must neither
// change nor pass them again. It returns the registry's version, which counts
// the changes that a client can see, and whether this was one. Claims of one
// call have different app and id.
func (r *Registry) Replace(owner Owner, key string, claims ...Claim) (version uint64, changed bool) {
	return r.replace(owner, key, causeOf(owner, claims), claims)
}

// End ends what owner's key said, as Replace without claims does, for a cause that
// is not the usual one: a pod is deleted, a lease cancelled.
func (r *Registry) End(owner Owner, key string, cause Cause) {
	r.replace(owner, key, cause, nil)
}

func (r *Registry) replace(owner Owner, key string, cause Cause, claims []Claim) (version uint64, changed bool) {
	u := update{registry: r, cause: cause}
	r.mu.Lock()
	u.replace(claimKey{owner, key}, claims)
	changed = u.finish()
	version = r.version
	r.mu.Unlock()
	u.tellEnded()
	return version, changed
}

// Changed yields when there is something new to drain.
func (r *Registry) Changed() <-chan struct{} {
	return r.changed
}

// wake makes a channel of capacity one yield; one yield covers any number of
// changes.
func wake(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

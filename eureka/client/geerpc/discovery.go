package geerpc

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

// DefaultExpiry is how long a list counts before it is read again, as in GeeRPC.
const DefaultExpiry = 10 * time.Second

// retryAfter is how long a registry that could not be read is left alone: callers
// would all wait for it in vain otherwise.
const retryAfter = time.Second

// ErrNoServers says that the registry knows no server.
var ErrNoServers = errors.New("no servers are registered")

// Discovery chooses among the servers of a registry. It reads their list when it
// is asked and the list it has is too old. Any number of goroutines may use it at
// once; one of them reads, and the others wait for it.
type Discovery struct {
	registry string
	expiry   time.Duration
	client   *http.Client
	reading  chan struct{} // holds one token while the list is read

	mu      sync.Mutex // guards all below; the elements of servers never change
	servers []string
	expires time.Time // zero before the first list
	err     error     // of the last reading
	turn    uint      // of RoundRobinSelect
}

// NewDiscovery returns a discovery at the registry of that URL, whose list counts
// for expiry; 0 is DefaultExpiry. It reads nothing yet.
func NewDiscovery(registry string, expiry time.Duration) *Discovery {
	if expiry == 0 {
		expiry = DefaultExpiry
	}
	return &Discovery{
		registry: registry, expiry: expiry, client: newClient(), reading: make(chan struct{}, 1),
		turn: rand.UintN(1 << 16), // so that clients which start together begin at different servers
	}
}

// Refresh reads the list if the one there is has expired. After an error the old
// list stays, and it is not tried again for a second, in which the error is the
// same.
func (d *Discovery) Refresh(ctx context.Context) error {
	select {
	case d.reading <- struct{}{}:
		defer func() { <-d.reading }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if counts, err := d.current(); counts {
		return err
	}
	servers, err := readServers(ctx, d.client, d.registry)
	if ctx.Err() != nil {
		return ctx.Err() // it says nothing of the registry
	}
	if err != nil {
		d.fail(err)
		return err
	}
	d.Update(servers)
	return nil
}

// current reports whether the last reading, with the error that it had, still
// counts.
func (d *Discovery) current() (counts bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Now().Before(d.expires), d.err
}

func (d *Discovery) fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err, d.expires = err, time.Now().Add(min(retryAfter, d.expiry))
}

// Update makes servers the list, as if it had been read now.
func (d *Discovery) Update(servers []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.servers, d.err, d.expires = slices.Clone(servers), nil, time.Now().Add(d.expiry)
}

// Get chooses a server, after a Refresh. While the registry cannot be read it
// chooses from the last list. The errors are ErrNoServers, that of ctx, that of
// Refresh while no list was ever read, and one for a mode that does not exist.
func (d *Discovery) Get(ctx context.Context, mode SelectMode) (string, error) {
	servers, err := d.list(ctx)
	if err != nil {
		return "", err
	}
	if len(servers) == 0 {
		return "", ErrNoServers
	}
	switch mode {
	case RandomSelect:
		return servers[rand.IntN(len(servers))], nil
	case RoundRobinSelect:
		return servers[d.nextTurn()%uint(len(servers))], nil
	}
	return "", errUnknownMode(mode)
}

// GetAll returns all servers, after a Refresh, sorted as the registry sorts them;
// the slice is the caller's. While the registry cannot be read they are those of
// the last list. The errors are those of Get but for ErrNoServers.
func (d *Discovery) GetAll(ctx context.Context) ([]string, error) {
	servers, err := d.list(ctx)
	return slices.Clone(servers), err
}

// list is the list after a Refresh, which nobody may change.
func (d *Discovery) list(ctx context.Context) ([]string, error) {
	err := d.Refresh(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil && (d.servers == nil || ctx.Err() != nil) {
		return nil, err
	}
	return d.servers, nil
}

func (d *Discovery) nextTurn() uint {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.turn++
	return d.turn
}

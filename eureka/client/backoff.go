package client

import (
	"math/rand/v2"
	"time"
)

// firstRetry is how long to wait after the first failure.
const firstRetry = time.Second

// backoff says how long to wait after each failure in a row: twice as long each
// time, up to limit, and of that a random part between a half and the whole, so that
// the clients of a server that was away do not come back all at once. It is for one
// goroutine.
type backoff struct {
	first, limit time.Duration
	failures     int
}

// next is how long to wait after one more failure.
func (b *backoff) next() time.Duration {
	wait := b.limit
	if b.failures < 30 { // further the doubling overflows
		wait = min(b.limit, b.first<<b.failures)
	}
	b.failures++
	return wait/2 + rand.N(wait/2+1)
}

// reset forgets the failures.
func (b *backoff) reset() { b.failures = 0 }

// early is d less a random tenth at most: clients that were started together do
// not ask together for ever.
func early(d time.Duration) time.Duration { return d - rand.N(d/10+1) }

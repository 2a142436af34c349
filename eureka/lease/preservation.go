package lease

import "time"

// leastOverdue is how many leases must be overdue for it to look like an outage
// of the network, and not like crashes: a single crashed instance always expires.
const leastOverdue = 3

// preservation decides when leases are kept although they are overdue: many at
// once are more likely cut off than dead. It belongs to the sweep.
type preservation struct {
	threshold float64
	ceiling   time.Duration

	active bool
	since  time.Duration // when it began, if active
	// expired holds, for each lease that expired lately, until when it counts as
	// overdue. The heartbeats that an outage stops are spread over a renewal
	// interval, and so are the leases that become overdue: if each that expires
	// left the count at once, an outage would be seen when few are left (decision
	// 0006).
	expired []time.Duration
}

// decide says whether overdue leases are kept now.
func (p *preservation) decide(now time.Duration, present, overdue int) {
	p.forget(now)
	switch {
	case !p.outage(present, overdue):
		p.active = false
	case !p.active:
		p.active, p.since = true, now
	case now-p.since >= p.ceiling:
		p.active = false
	}
}

// outage reports whether so many leases are overdue that it cannot be their
// holders' fault.
func (p *preservation) outage(present, overdue int) bool {
	lately := len(p.expired)
	all, missing := present+lately, overdue+lately
	if overdue == 0 || missing < leastOverdue {
		return false
	}
	// The millionth is for shares that are exact in decimals only: 0.56 times 25
	// comes out a little over 14.
	return float64(all-missing) < p.threshold*float64(all)-1e-6
}

// expire notes that a lease expired.
func (p *preservation) expire(e *entry, now time.Duration) {
	p.expired = append(p.expired, now+min(e.interval, e.duration))
}

// forget drops the leases that expired long ago.
func (p *preservation) forget(now time.Duration) {
	kept := p.expired[:0]
	for _, until := range p.expired {
		if until > now {
			kept = append(kept, until)
		}
	}
	p.expired = kept
}

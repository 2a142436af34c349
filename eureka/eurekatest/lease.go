package eurekatest

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

var leaseChecks = []Check{
	{Name: "lease/kept", Fact: "An instance that sends heartbeats outlives its lease's duration.", Slow: true, run: leaseKept},
	{Name: "lease/ends", Fact: "An instance that stops sending them is gone when its lease's duration is over, and the next heartbeat is 404.", Difference: "When a lease of D seconds ends", Slow: true, run: leaseEnds},
}

// shortLease is the duration of the leases that these checks wait for.
const shortLease = 2 * time.Second

// leaseSlack is how much later than at its end a lease may be gone: the sweep is
// each second.
const leaseSlack = 2 * time.Second

func (s *session) registerShort(ctx context.Context) error {
	return s.register(ctx, s.instance("one").with(fields{"leaseInfo": fields{"renewalIntervalInSecs": 1, "durationInSecs": int(shortLease.Seconds())}}))
}

// pause waits.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

func leaseKept(ctx context.Context, s *session) error {
	if err := s.registerShort(ctx); err != nil {
		return err
	}
	const heartbeats = 8
	renewed := time.Now()
	for sent := 0; sent < heartbeats; sent++ {
		if err := pause(ctx, shortLease/4); err != nil {
			return err
		}
		late := time.Since(renewed) >= shortLease/2
		renewed = time.Now()
		if late { // a busy machine did not let this program go on, so it begins again
			if err := s.registerShort(ctx); err != nil {
				return err
			}
			sent = -1
			continue
		}
		if err := s.put(ctx, http.StatusOK, s.instancePath("one")); err != nil {
			return err
		}
	}
	return s.expectStatus(ctx, "one", "UP")
}

func leaseEnds(ctx context.Context, s *session) error {
	if err := s.registerShort(ctx); err != nil {
		return err
	}
	sent := time.Now()
	if err := s.put(ctx, http.StatusOK, s.instancePath("one")); err != nil {
		return err
	}
	renewed := time.Now()
	for {
		asked := time.Now() // an answer may be slow, and is no older
		a, err := s.get(ctx, s.instancePath("one"), asJSON)
		if err != nil {
			return err
		}
		if a.status == http.StatusNotFound {
			if lasted := time.Since(sent); lasted < shortLease {
				return fmt.Errorf("gone %s after a heartbeat, want %s at least", lasted, shortLease)
			}
			return s.put(ctx, http.StatusNotFound, s.instancePath("one"))
		}
		if lasted := asked.Sub(renewed); lasted > shortLease+leaseSlack {
			return fmt.Errorf("still there %s after the last heartbeat, want it gone %s after it", lasted, shortLease)
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

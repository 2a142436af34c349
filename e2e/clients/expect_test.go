package clients

import (
	"fmt"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/suite"
)

// soon is how long a change may take to be seen when no bound is under test. It is
// generous: a busy machine must not fail a test.
const soon = time.Minute

// expectListed waits until the application is listed with the status given, once,
// and returns its entry.
func (s *server) expectListed(t *testing.T, app, status string) instance {
	t.Helper()
	var found []instance
	suite.Eventually(t, soon, func() (err error) {
		if found, err = s.listed(t.Context(), app); err != nil {
			return err
		}
		if len(found) != 1 || found[0].Status != status {
			return fmt.Errorf("instances of %s are %+v, want one that is %s", app, found, status)
		}
		return nil
	})
	return found[0]
}

// isGone returns an error while app has instances.
func (s *server) isGone(t *testing.T, app string) error {
	found, err := s.listed(t.Context(), app)
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%s is still listed: %+v", app, found)
	}
	return err
}

// expectRenewals waits until the application's own heartbeats have kept its lease
// for as long as d, counted from the one that was the last when it was called. It
// fails the test when check, which may be nil, is not content with the instance.
func (s *server) expectRenewals(t *testing.T, a *application, d time.Duration, check func(instance) error) {
	t.Helper()
	first, err := s.instance(t.Context(), a.app, a.id)
	if err != nil {
		t.Fatal(err)
	}
	suite.Eventually(t, d+soon, func() error {
		now, err := s.instance(t.Context(), a.app, a.id)
		if err != nil {
			t.Fatalf("the lease did not last: %v", err)
		}
		if check != nil {
			if err := check(now); err != nil {
				t.Fatal(err)
			}
		}
		if lasted := milliseconds(now.Lease.LastRenewal - first.Lease.LastRenewal); lasted < d {
			return fmt.Errorf("lastRenewalTimestamp moved by %s, want %s", lasted, d)
		}
		return nil
	})
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

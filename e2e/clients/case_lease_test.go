package clients

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/e2e/suite"
)

func expectHeartbeats(t *testing.T, r *rig) {
	s, a := r.server, r.application
	s.order(t, http.MethodPut, s.instanceURL(a.app, a.id)+"/metadata?colour=blue", "")
	before, err := s.instance(t.Context(), a.app, a.id)
	if err != nil {
		t.Fatal(err)
	}
	want := maps.Clone(before.Metadata)
	want["colour"] = "blue"
	s.expectRenewals(t, a, r.leaseDuration+r.interval, func(now instance) error {
		if now.Lease.Registration != before.Lease.Registration {
			return errors.New("it was registered again and not renewed")
		}
		if age := time.Since(time.UnixMilli(now.Lease.LastRenewal)); age < 0 {
			return fmt.Errorf("lastRenewalTimestamp is %s ahead", -age)
		}
		if diff := cmp.Diff(want, now.Metadata); diff != "" {
			return fmt.Errorf("metadata (-want +got):\n%s", diff)
		}
		return nil
	})
}

func expectOwnOverride(t *testing.T, r *rig) {
	s, a := r.server, r.application
	url := s.instanceURL(a.app, a.id) + "/status"
	s.order(t, http.MethodPut, url+"?value=OUT_OF_SERVICE", "")
	s.expectListed(t, a.app, "OUT_OF_SERVICE")
	if r.can("Override") {
		a.expectDiscovered(t, soon, demo)
	}
	s.expectRenewals(t, a, 3*r.interval, func(now instance) error {
		if now.Status != "OUT_OF_SERVICE" || now.OverriddenStatus != "OUT_OF_SERVICE" {
			return fmt.Errorf("status is %s and overridden %s, want OUT_OF_SERVICE", now.Status, now.OverriddenStatus)
		}
		return nil
	})
	s.order(t, http.MethodDelete, url, "")
	if back := s.expectListed(t, a.app, "UP"); back.OverriddenStatus != "UNKNOWN" {
		t.Errorf("overridden status = %s, want UNKNOWN", back.OverriddenStatus)
	}
	r.expectDiscovered(t, soon, nil)
}

func expectOwnMetadata(t *testing.T, r *rig) {
	s, a := r.server, r.application
	a.tell(t, "/self/metadata", `{"release":"green"}`)
	suite.Eventually(t, soon, func() error {
		now, err := s.instance(t.Context(), a.app, a.id)
		if err == nil && now.Metadata["release"] != "green" {
			err = fmt.Errorf("metadata is %v, want release=green", now.Metadata)
		}
		return err
	})
}

func expectOwnStatus(t *testing.T, r *rig) {
	s, a := r.server, r.application
	a.tell(t, "/self/status?value=DOWN", "")
	s.expectListed(t, a.app, "DOWN")
	a.tell(t, "/self/status?value=UP", "")
	s.expectListed(t, a.app, "UP")
	r.expectDiscovered(t, soon, nil)
}

func expectStop(t *testing.T, r *rig) {
	r.application.expectStops(t)
	if err := r.server.isGone(t, r.application.app); err != nil {
		t.Error(err)
	}
}

// lateness is what the product allows itself beyond the duration of a lease. Only an
// answer to what was asked later counts against it: how long the answer took is the
// machine's.
const lateness = 1500 * time.Millisecond

func expectKill(t *testing.T, r *rig) {
	s, a := r.server, r.application
	before, err := s.instance(t.Context(), a.app, a.id)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	suite.Eventually(t, soon, func() error {
		asked := time.Now()
		err := s.isGone(t, a.app)
		if lasted := asked.Sub(killed); err != nil && lasted > r.leaseDuration+lateness {
			t.Fatalf("%s after it was killed, want it gone within %s: %v", lasted, r.leaseDuration+lateness, err)
		}
		return err
	})
	if lasted := time.Since(time.UnixMilli(before.Lease.LastRenewal)); lasted < r.leaseDuration {
		t.Errorf("gone %s after a heartbeat, want at least %s", lasted, r.leaseDuration)
	}
}

// That none of its requests was refused is held after each case.
func expectCredentials(t *testing.T, r *rig) {
	s, a := r.server, r.application
	if r.registers() {
		s.expectListed(t, a.app, "UP")
		s.expectRenewals(t, a, 2*r.interval, nil)
		expectUnauthorized(t, http.MethodDelete, s.instanceURL(a.app, a.id))
	}
	r.expectReads(t, 2)
	expectUnauthorized(t, http.MethodGet, serviceURL(s.address, "")+"apps")
}

func expectUnauthorized(t *testing.T, method, url string) {
	t.Helper()
	status, _, err := send(t.Context(), method, url, "")
	if err != nil {
		t.Fatal(err)
	}
	if status != http.StatusUnauthorized {
		t.Errorf("%s without credentials = %d, want 401", method, status)
	}
}

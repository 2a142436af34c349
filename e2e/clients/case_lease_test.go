package clients

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eurekube/eurekube/e2e/recorder"
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
	s.expectRenewals(t, a, r.leaseDuration+r.interval, func(now instance) error {
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

// The server dies, stays away for some heartbeats, and one that knows nothing takes
// its place.
func expectRestart(t *testing.T, r *rig) {
	s, a := r.server, r.application
	want := r.withDemo(nil)
	if err := errors.Join(s.Kill(), r.proxies[0].Close()); err != nil {
		t.Fatal(err)
	}
	suite.Throughout(t, 3*r.interval, func() error {
		if r.can("Unavailable") {
			return a.isDiscovered(t.Context(), want)
		}
		return nil
	})

	s.start(t)
	r.proxies[0] = startProxy(t, r.proxies[0].Address(), s)
	if r.blocks {
		r.proxies[0].Fail(recorder.Cut)
		r.expectFailedRead(t, r.proxies[0])
		r.proxies[0].Fail(recorder.None)
	}
	if r.registers() {
		s.expectListed(t, a.app, "UP")
		if refused := r.refusedHeartbeats(); refused > 3 {
			t.Errorf("%d heartbeats were answered 404 before it registered again, want at most three", refused)
		}
		s.expectRenewals(t, a, r.leaseDuration+r.interval, nil)
	}
	reads := len(r.exchanges(isAnyRead))
	suite.Eventually(t, soon, func() error {
		if now := len(r.exchanges(isAnyRead)); now < reads+2 {
			return fmt.Errorf("it has read %d times, want two more than %d", now, reads)
		}
		return a.isDiscovered(t.Context(), want)
	})
}

func (r *rig) refusedHeartbeats() int {
	url := "/eureka/apps/" + r.application.app + "/" + r.application.id
	return len(r.exchanges(func(e recorder.Exchange) bool {
		return e.Method == http.MethodPut && e.Status == http.StatusNotFound && strings.HasPrefix(e.URI, url)
	}))
}

func expectStop(t *testing.T, r *rig) {
	r.application.expectStops(t)
	if err := r.server.isGone(t, r.application.app); err != nil {
		t.Error(err)
	}
}

// lateness is what the product allows itself beyond the duration of a lease.
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
	suite.Eventually(t, soon, func() error { return s.isGone(t, a.app) })
	gone := time.Now()
	if lasted := gone.Sub(killed); lasted > r.leaseDuration+lateness {
		t.Errorf("gone %s after it was killed, want at most %s", lasted, r.leaseDuration+lateness)
	}
	if lasted := gone.Sub(time.UnixMilli(before.Lease.LastRenewal)); lasted < r.leaseDuration {
		t.Errorf("gone %s after a heartbeat, want at least %s", lasted, r.leaseDuration)
	}
}

func expectCredentials(t *testing.T, r *rig) {
	s, a := r.server, r.application
	s.expectListed(t, a.app, "UP")
	s.expectRenewals(t, a, 2*r.interval, nil)
	status, _, err := send(t.Context(), http.MethodDelete, s.instanceURL(a.app, a.id), "")
	if err != nil {
		t.Fatal(err)
	}
	if status != http.StatusUnauthorized {
		t.Errorf("DELETE without credentials = %d, want 401", status)
	}
}

// expectRegistered holds the listing to what each client is told to say of itself;
// its URLs are what its own library makes of that.
func expectRegistered(t *testing.T, r *rig) {
	a := r.application
	got := r.server.expectListed(t, a.app, "UP")
	want := instance{
		ID: a.id, App: serviceApp(r.service), HostName: a.host, IPAddr: a.host,
		Status: "UP", OverriddenStatus: "UNKNOWN",
		Port:     port{Number: a.port, Enabled: "true"},
		Lease:    lease{Interval: int(r.interval.Seconds()), Duration: int(r.leaseDuration.Seconds())},
		Metadata: map[string]string{"team": "checkout"},
		VIP:      r.service,
	}
	if r.registered != nil {
		r.registered(a, &want)
	}
	times := cmpopts.IgnoreFields(lease{}, "Registration", "LastRenewal", "ServiceUp")
	if diff := cmp.Diff(want, got, times); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	for name, at := range map[string]int64{"registration": got.Lease.Registration, "service up": got.Lease.ServiceUp} {
		if age := time.Since(time.UnixMilli(at)); age < 0 || age > startTime {
			t.Errorf("%s was %s ago", name, age)
		}
	}
}

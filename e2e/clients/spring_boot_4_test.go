package clients

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eurekube/eurekube/e2e/suite"
)

// One application goes through its life; each step leaves it as it found it.
func TestSpringBoot4(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	a := startSpringBoot4(t, s.serviceURL(""), serviceName, "127.0.0.1")
	s.expectListed(t, a.app, "UP")

	t.Run("IsListedAsItIs", func(t *testing.T) { expectAsRegistered(t, s, a) })
	t.Run("HeartbeatsKeepItsLease", func(t *testing.T) { expectKeptLease(t, s, a) })
	t.Run("DiscoversPods", func(t *testing.T) { expectDemoDiscovered(t, s, a) })
	t.Run("MetadataUpdateShows", func(t *testing.T) { expectMetadataUpdate(t, s, a) })
	t.Run("ItsOwnChangesShow", func(t *testing.T) { expectOwnChanges(t, s, a) })
	t.Run("TakenOutAndPutBack", func(t *testing.T) { expectOverride(t, s, a) })
	t.Run("KilledIsGoneWhenItsLeaseIsOver", func(t *testing.T) { expectLeaseEnds(t, s, a) })
}

func expectAsRegistered(t *testing.T, s *server, a *application) {
	got := s.expectListed(t, a.app, "UP")
	url := fmt.Sprintf("http://127.0.0.1:%d", a.port)
	want := instance{
		ID: a.id, App: "STOREFRONT", HostName: "127.0.0.1", IPAddr: "127.0.0.1",
		Status: "UP", OverriddenStatus: "UNKNOWN",
		Port: port{Number: a.port, Enabled: "true"}, SecurePort: port{Number: 443, Enabled: "false"},
		Lease:       lease{Interval: int(renewalInterval.Seconds()), Duration: int(leaseDuration.Seconds())},
		Metadata:    map[string]string{"team": "checkout", "management.port": fmt.Sprint(a.port)},
		HomePageURL: url + "/", StatusPageURL: url + "/actuator/info", HealthCheckURL: url + "/actuator/health",
		VIP: serviceName, SecureVIP: serviceName,
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

func expectKeptLease(t *testing.T, s *server, a *application) {
	before := s.expectListed(t, a.app, "UP")
	s.expectRenewals(t, a, leaseDuration+renewalInterval, func(now instance) error {
		if now.Lease.Registration != before.Lease.Registration {
			return errors.New("it was registered again and not renewed")
		}
		if age := time.Since(time.UnixMilli(now.Lease.LastRenewal)); age < 0 {
			return fmt.Errorf("lastRenewalTimestamp is %s ahead", -age)
		}
		return nil
	})
}

// demo is what deploy/demo makes callers call.
var demo = map[string][]string{
	"cart":    {"http://10.244.1.12:8080"},
	"legacy":  {"http://10.244.1.14:8080"},
	"orders":  {"http://10.244.1.11:8080", "http://10.244.2.11:8080"},
	"payment": {"http://10.244.2.13:8080"},
}

// demoAnd is the demo and one more service.
func demoAnd(a *application) map[string][]string {
	urls := maps.Clone(demo)
	urls[serviceName] = []string{a.url("")}
	return urls
}

func expectDemoDiscovered(t *testing.T, s *server, a *application) {
	a.expectDiscovered(t, soon, demoAnd(a))

	// Somebody removes a service and puts it back.
	cart := filepath.Join(s.manifests, "cart.yaml")
	manifest, err := os.ReadFile(cart)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(cart); err != nil {
		t.Fatal(err)
	}
	without := demoAnd(a)
	delete(without, "cart")
	a.expectDiscovered(t, soon, without)
	if err := os.WriteFile(cart, manifest, 0o600); err != nil {
		t.Fatal(err)
	}
	a.expectDiscovered(t, soon, demoAnd(a))
}

func expectMetadataUpdate(t *testing.T, s *server, a *application) {
	before := s.expectListed(t, a.app, "UP")
	expectStatus(t, http.StatusOK, http.MethodPut, s.instanceURL(a.app, a.id)+"/metadata?colour=blue")
	want := maps.Clone(before.Metadata)
	want["colour"] = "blue"
	// A heartbeat that came with what the application knew before would undo it.
	s.expectRenewals(t, a, 2*renewalInterval, func(now instance) error {
		if diff := cmp.Diff(want, now.Metadata); diff != "" {
			return fmt.Errorf("metadata (-want +got):\n%s", diff)
		}
		return nil
	})
}

// The application registers again with what it changed.
func expectOwnChanges(t *testing.T, s *server, a *application) {
	a.tell(t, "/self/metadata", `{"release":"green"}`)
	suite.Eventually(t, soon, func() error {
		now, err := s.instance(t.Context(), a.app, a.id)
		if err == nil && now.Metadata["release"] != "green" {
			err = fmt.Errorf("metadata is %v, want release=green", now.Metadata)
		}
		return err
	})
	a.tell(t, "/self/status?value=DOWN", "")
	s.expectListed(t, a.app, "DOWN")
	a.tell(t, "/self/status?value=UP", "")
	s.expectListed(t, a.app, "UP")
}

func expectOverride(t *testing.T, s *server, a *application) {
	url := s.instanceURL(a.app, a.id) + "/status"
	expectStatus(t, http.StatusOK, http.MethodPut, url+"?value=OUT_OF_SERVICE")
	s.expectListed(t, a.app, "OUT_OF_SERVICE")
	a.expectDiscovered(t, soon, demo)
	s.expectRenewals(t, a, leaseDuration+renewalInterval, func(now instance) error {
		if now.Status != "OUT_OF_SERVICE" || now.OverriddenStatus != "OUT_OF_SERVICE" {
			return fmt.Errorf("status is %s and overridden %s, want OUT_OF_SERVICE", now.Status, now.OverriddenStatus)
		}
		return nil
	})

	a.expects("- Re-registering apps/STOREFRONT", "without the override nobody knows the status until the application says it again")
	expectStatus(t, http.StatusOK, http.MethodDelete, url)
	if back := s.expectListed(t, a.app, "UP"); back.OverriddenStatus != "UNKNOWN" {
		t.Errorf("overridden status = %s, want UNKNOWN", back.OverriddenStatus)
	}
	a.expectDiscovered(t, soon, demoAnd(a))
}

// lateness is what the product allows itself beyond the duration of a lease.
const lateness = time.Second

// slack is for the machine: the poll that sees it, and programs that wait for a
// processor.
const slack = time.Second

func expectLeaseEnds(t *testing.T, s *server, a *application) {
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
	if lasted := gone.Sub(killed); lasted > leaseDuration+lateness+slack {
		t.Errorf("gone %s after it was killed, want at most %s", lasted, leaseDuration+lateness)
	}
	if lasted := gone.Sub(time.UnixMilli(before.Lease.LastRenewal)); lasted < leaseDuration {
		t.Errorf("gone %s after a heartbeat, want at least %s", lasted, leaseDuration)
	}
}

func TestSpringBoot4_StoppedIsGoneAtOnce(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	a := startSpringBoot4(t, s.serviceURL(""), serviceName, "127.0.0.1")
	s.expectListed(t, a.app, "UP")

	a.expectStops(t)
	if err := s.isGone(t, a.app); err != nil {
		t.Error(err)
	}
}

// expectStops ends the application as an operator does and returns when it has
// ended.
func (a *application) expectStops(t *testing.T) {
	t.Helper()
	a.allows("WARN .* TimedSupervisorTask: task supervisor shutting down, can't accept the task$",
		"the client ends the threads of its tasks before the tasks")
	if err := a.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-a.Ended():
	case <-time.After(soon):
		t.Fatalf("the application did not end within %s", soon)
	}
}

func TestSpringBoot4_RegistersWithCredentialsInTheURL(t *testing.T) {
	t.Parallel()
	users := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(users, []byte("spring:s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "--auth-file="+users)
	a := startSpringBoot4(t, s.serviceURL("spring:s3cret"), serviceName, "127.0.0.1")
	s.expectListed(t, a.app, "UP")
	s.expectRenewals(t, a, 2*renewalInterval, nil)
	a.expectDiscovered(t, soon, demoAnd(a))

	expectStatus(t, http.StatusUnauthorized, http.MethodDelete, s.instanceURL(a.app, a.id))
	s.expectListed(t, a.app, "UP")

	a.expectStops(t)
	if err := s.isGone(t, a.app); err != nil {
		t.Error(err)
	}
}

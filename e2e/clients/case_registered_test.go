package clients

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

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

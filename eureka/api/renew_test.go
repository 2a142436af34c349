package api

import (
	"testing"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

func TestFieldCase89_HeartbeatsDoNotChangeTheStatus(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1").with(fields{"status": "DOWN"}))
	s.want(s.do("PUT", "/eureka/apps/A/i1?status=UP&lastDirtyTimestamp=1000"), 200)
	if got := s.instance("/eureka/apps/A/i1").Status; got != eureka.StatusDown {
		t.Errorf("status after a heartbeat = %s, want DOWN", got)
	}
	s.register(registration("A", "i1").with(fields{"lastDirtyTimestamp": "2000"}))
	if got := s.instance("/eureka/apps/A/i1").Status; got != eureka.StatusUp {
		t.Errorf("status after a newer registration = %s, want UP", got)
	}
}

func TestAnUnknownStatusIsToldBeforeAMalformedTimestamp(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1").with(fields{"status": "UNKNOWN"}))
	s.wantEmpty(s.do("PUT", "/eureka/apps/A/i1?lastDirtyTimestamp=abc", acceptJSON), 404)
	s.want(s.do("PUT", "/eureka/apps/A/i1/status?value=UP&lastDirtyTimestamp=abc", acceptJSON), 400)
	s.register(registration("A", "i1"))
	s.want(s.do("PUT", "/eureka/apps/A/i1?lastDirtyTimestamp=abc", acceptJSON), 400)
}

func TestDirtyTimestampsOfHeartbeats(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1").with(fields{"lastDirtyTimestamp": "1000"}))
	tests := []struct {
		name, query    string
		local, replica int
	}{
		{"none", "", 200, 200},
		{"another parameter", "?status=DOWN", 200, 200},
		{"equal", "?lastDirtyTimestamp=1000", 200, 200},
		{"newer", "?status=UP&lastDirtyTimestamp=1001", 404, 404},
		{"older", "?lastDirtyTimestamp=999", 200, 409},
		{"zero", "?lastDirtyTimestamp=0", 200, 409},
		{"negative", "?lastDirtyTimestamp=-1", 200, 409},
		{"the first counts", "?lastDirtyTimestamp=1000&lastDirtyTimestamp=2000", 200, 200},
		{"escaped", "?lastDirty%54imestamp=%31000", 200, 200},
		{"a broken escape elsewhere", "?x=%zz&lastDirtyTimestamp=1000", 200, 200},
		{"empty", "?lastDirtyTimestamp=", 400, 400},
		{"a plus, which is a blank", "?lastDirtyTimestamp=+5", 400, 400},
		{"a fraction", "?lastDirtyTimestamp=1.5", 400, 400},
		{"too big", "?lastDirtyTimestamp=9223372036854775808", 400, 400},
		{"no number", "?lastDirtyTimestamp=abc", 400, 400},
		{"a broken escape", "?lastDirtyTimestamp=%zz", 400, 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			local := s.do("PUT", "/eureka/apps/A/i1"+tt.query, acceptJSON)
			replica := s.do("PUT", "/eureka/apps/A/i1"+tt.query, acceptJSON, "x-netflix-discovery-replication: true")
			notReplica := s.do("PUT", "/eureka/apps/A/i1"+tt.query, acceptJSON, "x-netflix-discovery-replication: True")
			if local.StatusCode != tt.local || replica.StatusCode != tt.replica || notReplica.StatusCode != tt.local {
				t.Errorf("answers = %d, replica %d, other word %d; want %d, %d, %d", local.StatusCode, replica.StatusCode, notReplica.StatusCode, tt.local, tt.replica, tt.local)
			}
			if tt.local == 400 && local.text != "lastDirtyTimestamp is no number of milliseconds\n" {
				t.Errorf("reason = %q", local.text)
			}
		})
	}
}

func TestConflictsCarryTheInstance(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1"))
	for _, tt := range []struct {
		accept string
		form   codec.Form
	}{{"application/json", codec.JSON}, {"application/xml", codec.XML}, {"*/*", codec.XML}} {
		a := s.do("PUT", "/eureka/apps/A/i1?lastDirtyTimestamp=1", "Accept: "+tt.accept, "x-netflix-discovery-replication: true")
		inst, err := codec.DecodeInstance(tt.form, a.raw)
		if a.StatusCode != 409 || err != nil || inst.ID != "i1" || a.Header.Get("Content-Type") != tt.form.ContentType() {
			t.Errorf("answer to %s = %d %s, %v; want 409 with i1 in %v", tt.accept, a.StatusCode, a.text, err, tt.form)
		}
	}
}

func TestOneInstanceShowsItsLeaseAsItIsNow(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1"))
	version := s.registry.Version()
	first := s.instance("/eureka/apps/A/i1").Lease
	for s.instance("/eureka/apps/A/i1").Lease.LastRenewalTimestamp == first.LastRenewalTimestamp {
		s.want(s.do("PUT", "/eureka/apps/A/i1"), 200) // until the clock's millisecond has moved
	}
	again := s.instance("/eureka/instances/i1").Lease
	if again.RegistrationTimestamp != first.RegistrationTimestamp || again.LastRenewalTimestamp <= first.LastRenewalTimestamp {
		t.Errorf("lease = %+v after %+v, want a later renewal", again, first)
	}
	if s.registry.Version() != version {
		t.Error("heartbeats moved the version")
	}
}

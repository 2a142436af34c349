package api

import (
	"testing"

	"github.com/eurekube/eurekube/eureka"
)

func TestFieldCase90_RemovingAnOverride(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1"))
	s.want(s.do("PUT", "/eureka/apps/A/i1/status?value=out_of_service"), 200)
	if got := s.listed()["A/i1"]; got.Status != eureka.StatusOutOfService || got.OverriddenStatus != eureka.StatusOutOfService {
		t.Errorf("overridden = %s, %s; want both OUT_OF_SERVICE", got.Status, got.OverriddenStatus)
	}
	s.want(s.do("DELETE", "/eureka/apps/A/i1/status?value=UP"), 200)
	if got := s.listed()["A/i1"]; got.Status != eureka.StatusUp || got.OverriddenStatus != eureka.StatusUnknown {
		t.Errorf("after the removal = %s, %s; want UP, UNKNOWN", got.Status, got.OverriddenStatus)
	}

	s.want(s.do("PUT", "/eureka/apps/A/i1/status?value=OUT_OF_SERVICE"), 200)
	s.want(s.do("DELETE", "/eureka/apps/A/i1/status"), 200)
	if got := s.instance("/eureka/apps/A/i1").Status; got != eureka.StatusUnknown {
		t.Errorf("after a removal without value = %s, want UNKNOWN", got)
	}
	s.wantEmpty(s.do("PUT", "/eureka/apps/A/i1"), 404)
	s.register(registration("A", "i1"))
	if got := s.instance("/eureka/apps/A/i1").Status; got != eureka.StatusUp {
		t.Errorf("after registering again = %s, want UP", got)
	}
}

func TestAPeersOverrideIsAdoptedWhenItsCopyIsNewer(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1"))
	const newer = "/eureka/apps/A/i1?lastDirtyTimestamp=2000&overriddenstatus="
	s.want(s.do("PUT", newer+"OUT_OF_SERVICE"), 404)
	if got := s.instance("/eureka/apps/A/i1").Status; got != eureka.StatusUp {
		t.Errorf("a client's heartbeat made it %s", got)
	}
	const replication = "x-netflix-discovery-replication: true"
	s.want(s.do("PUT", newer+"SIDEWAYS", replication), 400)
	s.want(s.do("PUT", newer+"OUT_OF_SERVICE", replication), 404)
	if got := s.instance("/eureka/apps/A/i1").Status; got != eureka.StatusOutOfService {
		t.Errorf("status = %s, want the peer's OUT_OF_SERVICE", got)
	}
}

func TestMalformedStatusRequestsChangeNothing(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1"))
	before := s.registry.Version()
	const noValue = "the query parameter value is missing, as in …/status?value=DOWN"
	const noStatus, noStamp = "value is none of UP, DOWN, STARTING, OUT_OF_SERVICE and UNKNOWN", "lastDirtyTimestamp is no number of milliseconds"
	for _, tt := range []struct{ method, query, reason string }{
		{"PUT", "", noValue},
		{"PUT", "?status=DOWN", noValue},
		{"PUT", "?value=", noStatus},
		{"PUT", "?value=SIDEWAYS", noStatus},
		{"PUT", "?value=%zz", noStatus},
		{"PUT", "?value=DOWN&lastDirtyTimestamp=x", noStamp},
		{"PUT", "?value=UP&lastDirtyTimestamp=x", noStamp},
		{"DELETE", "?value=", noStatus},
		{"DELETE", "?lastDirtyTimestamp=", noStamp},
	} {
		a := s.do(tt.method, "/eureka/apps/A/i1/status"+tt.query)
		if a.StatusCode != 400 || a.text != tt.reason+"\n" || a.Header.Get("Content-Type") != plainText {
			t.Errorf("%s %s = %d %q, want 400 %q", tt.method, tt.query, a.StatusCode, a.text, tt.reason)
		}
	}
	if after := s.registry.Version(); after != before {
		t.Errorf("refused requests moved the version from %d to %d", before, after)
	}
}

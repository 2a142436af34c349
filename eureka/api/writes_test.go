package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// wantEmpty wants a status and nothing else, which is all that clients take.
func (s *server) wantEmpty(a answer, code int) {
	s.t.Helper()
	if a.StatusCode != code || a.Header.Get("Content-Length") != "0" || len(a.raw) != 0 || a.Header.Get("Content-Type") != "" {
		s.t.Errorf("answer = %d, Content-Length %q, Content-Type %q, body %q; want %d and nothing else",
			a.StatusCode, a.Header.Get("Content-Length"), a.Header.Get("Content-Type"), a.raw, code)
	}
}

func TestFieldCase28_ExactCodesAndNoBodies(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1")) // 204
	s.wantEmpty(s.do("PUT", "/eureka/apps/A/i1?status=UP&lastDirtyTimestamp=1000"), 200)
	s.wantEmpty(s.send("PUT", "/eureka/apps/A/i1", "{}", contentJSON), 200)
	s.wantEmpty(s.send("PUT", "/eureka/apps/A/i1", "no JSON at all"), 200)
	s.wantEmpty(s.do("PUT", "/eureka/apps/A/i1/metadata?a=b"), 200)
	s.wantEmpty(s.do("PUT", "/eureka/apps/A/i1/status?value=DOWN"), 200)
	s.wantEmpty(s.do("DELETE", "/eureka/apps/A/i1/status?value=UP"), 200)
	s.wantEmpty(s.do("DELETE", "/eureka/apps/A/i1/status"), 200)
	s.wantEmpty(s.do("DELETE", "/eureka/apps/A/i1"), 200)
	s.wantEmpty(s.do("DELETE", "/eureka/apps/A/i1"), 404)
}

func TestFieldCase25_WritesToWhatIsNotThereHaveNoBody(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1"))
	for _, request := range []struct{ method, path string }{
		{"PUT", "/eureka/apps/GONE/x?status=UP&lastDirtyTimestamp=1"},
		{"PUT", "/eureka/apps/A/x"},
		{"PUT", "/eureka/apps/A/x?lastDirtyTimestamp=no-number"},
		{"DELETE", "/eureka/apps/GONE/x"},
		{"PUT", "/eureka/apps/A/x/status?value=DOWN"},
		{"PUT", "/eureka/apps/A/x/status"},
		{"DELETE", "/eureka/apps/A/x/status"},
		{"PUT", "/eureka/apps/A/x/metadata?a=b"},
		{"PUT", "/eureka/apps/A/x/metadata?%zz"},
		{"PUT", "/eureka/asg/a/status?value=ENABLED"},
	} {
		t.Run(request.method+" "+request.path, func(t *testing.T) {
			s.wantEmpty(s.do(request.method, request.path, acceptJSON), 404)
		})
	}
}

func TestFieldCase32_BothPrefixesAreOneAPI(t *testing.T) {
	s := startWrites(t)
	s.want(s.send("POST", "/eureka/v2/apps/A/", registration("A", "i1").document(t), contentJSON), 204)
	s.settle()
	if a := s.get("/eureka/apps/A", acceptJSON); !strings.Contains(a.text, `"i1"`) {
		t.Errorf("GET /eureka/apps/A = %s, want i1", a.text)
	}
	s.want(s.do("PUT", "/eureka/v2/apps/A/i1"), 200)
	s.want(s.do("PUT", "//eureka//v2//apps/a//i1/"), 200)
	s.want(s.do("PUT", "/eureka/v2/apps/A/i1/status?value=DOWN"), 200)
	s.want(s.do("DELETE", "/eureka/v2/apps/A/i1/status/"), 200)
	s.want(s.do("PUT", "/eureka/v2/apps/A/i1/metadata?a=b"), 200)
	s.want(s.send("POST", "/eureka/v2/peerreplication/batch/", `{"replicationList":[]}`, contentJSON), 200)
	s.want(s.do("DELETE", "/eureka/v2/apps/A/i1"), 200)
}

func TestFieldCase33_WritesTakeOpaqueIDs(t *testing.T) {
	s := startWrites(t)
	tests := []struct{ id, path string }{
		{"svc#1.2.0", "svc%231.2.0"},
		{"my svc:1", "my%20svc:1"},
		{"a+b", "a+b"},
		{"a+b", "a%2Bb"},
		{"with/slash", "with%2Fslash"},
		{"..", "%2E%2E"},
		{"semi;colon", "semi%3Bcolon"},
		{"é", "%C3%A9"},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			s.register(registration("SVC", tt.id))
			s.want(s.do("PUT", "/eureka/apps/SVC/"+tt.path+"?status=UP"), 200)
			s.want(s.do("PUT", "/eureka/apps/SVC/"+tt.path+"/status?value=DOWN"), 200)
			if got := s.listed()["SVC/"+tt.id]; got == nil || got.Status != eureka.StatusDown {
				t.Errorf("listed = %+v, want it DOWN", got)
			}
			s.want(s.do("DELETE", "/eureka/apps/SVC/"+tt.path), 200)
		})
	}
}

func TestFieldCase36_OneApplicationInAnyCase(t *testing.T) {
	s := startWrites(t)
	s.want(s.send("POST", "/eureka/apps/Orders", registration("Orders", "i1").document(t), contentJSON), 204)
	s.want(s.send("POST", "/eureka/apps/ORDERS", registration("ORDERS", "i2").document(t), contentJSON), 204)
	s.settle()
	app, err := codec.DecodeApplication(codec.JSON, s.get("/eureka/apps/oRdErS", acceptJSON).raw)
	if err != nil || app.Name != "ORDERS" || len(app.Instances) != 2 {
		t.Errorf("application = %+v, %v; want ORDERS with 2 instances", app, err)
	}
	s.want(s.do("PUT", "/eureka/apps/orderS/i1"), 200)
}

func TestFieldCase37_IDsAreStoredByteForByte(t *testing.T) {
	s := startWrites(t)
	s.register(registration("DEMO", "10.0.0.9:9000"))
	if got := s.instance("/eureka/apps/DEMO/10.0.0.9:9000").ID; got != "10.0.0.9:9000" {
		t.Errorf("instanceId = %q", got)
	}
	s.want(s.do("DELETE", "/eureka/apps/DEMO/10.0.0.9:9000"), 200)
	s.want(s.get("/eureka/apps/DEMO/10.0.0.9:9000"), 404)
}

func TestFieldCase51_AllViewsChangeTogether(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1"))
	for range 20 {
		s.register(registration("A", "i1"))
		s.want(s.do("DELETE", "/eureka/apps/A/i1"), 200)
		for _, path := range []string{"/eureka/apps", "/eureka/apps/A", "/eureka/apps/A/i1", "/eureka/vips/a", "/eureka/instances/i1"} {
			if a := s.get(path, acceptJSON); strings.Contains(a.text, `"i1"`) {
				t.Fatalf("GET %s right after the cancel = %d %s", path, a.StatusCode, a.text)
			}
		}
		if a := s.get("/eureka/apps/delta", acceptJSON); !strings.Contains(a.text, `"actionType":"DELETED"`) {
			t.Fatalf("delta right after the cancel = %s, want i1 DELETED", a.text)
		}
	}
}

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
			if tt.local == 400 && local.text != "lastDirtyTimestamp is no number of milliseconds" {
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
	const noStatus, noStamp = "value is none of UP, DOWN, STARTING, OUT_OF_SERVICE and UNKNOWN", "lastDirtyTimestamp is no number of milliseconds"
	for _, tt := range []struct{ method, query, reason string }{
		{"PUT", "", "value is missing"},
		{"PUT", "?status=DOWN", "value is missing"},
		{"PUT", "?value=", noStatus},
		{"PUT", "?value=SIDEWAYS", noStatus},
		{"PUT", "?value=%zz", noStatus},
		{"PUT", "?value=DOWN&lastDirtyTimestamp=x", noStamp},
		{"PUT", "?value=UP&lastDirtyTimestamp=x", noStamp},
		{"DELETE", "?value=", noStatus},
		{"DELETE", "?lastDirtyTimestamp=", noStamp},
	} {
		a := s.do(tt.method, "/eureka/apps/A/i1/status"+tt.query)
		if a.StatusCode != 400 || a.text != tt.reason || a.Header.Get("Content-Type") != plainText {
			t.Errorf("%s %s = %d %q, want 400 %q", tt.method, tt.query, a.StatusCode, a.text, tt.reason)
		}
	}
	if after := s.registry.Version(); after != before {
		t.Errorf("refused requests moved the version from %d to %d", before, after)
	}
}

func TestMetadataUpdates(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1").with(fields{"metadata": fields{"kept": "yes", "weight": "1"}}))
	s.want(s.do("PUT", "/eureka/apps/A/i1/metadata?weight=3&team_name=blue%20green&k=1&k=2&semi=a;b&plus=a+b&empty=&bare&=x&@class=y"), 200)
	want := map[string]string{"kept": "yes", "weight": "3", "team_name": "blue green", "k": "1", "semi": "a;b", "plus": "a b", "empty": "", "bare": ""}
	if diff := cmp.Diff(want, s.listed()["A/i1"].Metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
	s.want(s.do("PUT", "/eureka/apps/A/i1/metadata"), 200)
	before := s.registry.Version()
	s.want(s.do("PUT", "/eureka/apps/A/i1/metadata?a=%zz"), 400)
	s.want(s.do("PUT", "/eureka/apps/A/i1/metadata?a=%ff"), 400)
	if after := s.registry.Version(); after != before {
		t.Errorf("refused updates moved the version from %d to %d", before, after)
	}
	big := strings.Repeat("x", maxBody/3)
	s.want(s.do("PUT", "/eureka/apps/A/i1/metadata?a="+big), 200)
	s.want(s.do("PUT", "/eureka/apps/A/i1/metadata?b="+big), 200)
	s.want(s.do("PUT", "/eureka/apps/A/i1/metadata?c="+big), 413)
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

func TestAPodIsFoundByTheIDOfItsApplication(t *testing.T) {
	s := startWrites(t)
	pod := inst("ORDERS", "10.0.0.5:orders:8080")
	s.change("shop/orders-1/uid", pod)
	s.register(registration("ORDERS", "host:orders:8080").with(fields{"hostName": "10.0.0.5", "ipAddr": "10.0.0.5", "metadata": fields{"from": "app"}}))
	for _, id := range []string{pod.ID, "host:orders:8080"} {
		got := s.instance("/eureka/apps/ORDERS/" + id)
		if got.ID != pod.ID || got.Metadata["from"] != "app" || got.Lease != pod.Lease {
			t.Errorf("GET by %s = %+v, want the pod with the metadata of its application", id, got)
		}
		s.wantEmpty(s.do("PUT", "/eureka/apps/ORDERS/"+id+"?lastDirtyTimestamp=999999"), 200)
	}
	if all := s.listed(); len(all) != 1 {
		t.Errorf("listed = %v, want one record", all)
	}
	s.want(s.do("PUT", "/eureka/apps/ORDERS/host:orders:8080/status?value=OUT_OF_SERVICE"), 200)
	if got := s.listed()["ORDERS/"+pod.ID].Status; got != eureka.StatusOutOfService {
		t.Errorf("status = %s, want OUT_OF_SERVICE", got)
	}
	s.want(s.do("DELETE", "/eureka/apps/ORDERS/host:orders:8080/status"), 200)
	if got := s.listed()["ORDERS/"+pod.ID].Status; got != eureka.StatusUp {
		t.Errorf("status = %s, want what readiness says at once", got)
	}
	s.want(s.do("DELETE", "/eureka/apps/ORDERS/host:orders:8080"), 200)
	if all := s.listed(); len(all) != 0 {
		t.Errorf("listed = %v, want nothing after the self-cancel", all)
	}
}

func TestMethodsWithWrites(t *testing.T) {
	s := startWrites(t)
	for path, allow := range map[string]string{
		"/eureka/apps":                  "GET, HEAD, OPTIONS",
		"/eureka/apps/delta":            "GET, HEAD, OPTIONS",
		"/eureka/apps/A":                "GET, HEAD, OPTIONS, POST",
		"/eureka/apps/A/i1":             "DELETE, GET, HEAD, OPTIONS, PUT",
		"/eureka/v2/apps/A/i1/status":   "DELETE, OPTIONS, PUT",
		"/eureka/apps/A/i1/metadata":    "OPTIONS, PUT",
		"/eureka/peerreplication/batch": "OPTIONS, POST",
	} {
		a := s.do("PATCH", path)
		s.wantEmpty(a, http.StatusMethodNotAllowed)
		if got := a.Header.Get("Allow"); got != allow {
			t.Errorf("Allow of %s = %q, want %q", path, got, allow)
		}
	}
}

func TestWritesAreTakenBeforeTheFirstCompleteList(t *testing.T) {
	s := run(t, withLeases)
	s.listen()
	s.register(registration("A", "i1"))
	s.want(s.do("PUT", "/eureka/apps/A/i1"), 200)
	s.want(s.do("PUT", "/eureka/apps/A/i1/status?value=DOWN"), 200)
	s.want(s.get("/eureka/apps/A/i1"), 503)
	s.open()
	if got := s.listed()["A/i1"]; got == nil || got.Status != eureka.StatusDown {
		t.Errorf("listed = %+v, want it DOWN", got)
	}
}

func TestStatusTellsOfLeases(t *testing.T) {
	s := startWrites(t)
	a := s.get("/eureka/status", acceptJSON)
	for _, want := range []string{`"self-preservation":"false"`, `"expected-renewals-per-minute":"0"`, `"actual-renewals-per-minute":"0"`} {
		if !strings.Contains(a.text, want) {
			t.Errorf("status = %s, want %s", a.text, want)
		}
	}
	if a := start(t).get("/eureka/status", acceptJSON); strings.Contains(a.text, "self-preservation") {
		t.Errorf("status without leases = %s, want nothing of them", a.text)
	}
}

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
	a := s.do("PUT", "/eureka/apps/A/i1/metadata?c="+big)
	if want := "the metadata would be longer than 65536 bytes\n"; a.StatusCode != 413 || a.text != want || a.Header.Get("Content-Type") != plainText {
		t.Errorf("answer = %d %q, Content-Type %q; want 413 %q as text", a.StatusCode, a.text, a.Header.Get("Content-Type"), want)
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

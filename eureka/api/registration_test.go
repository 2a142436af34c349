package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

const contentJSON = "Content-Type: application/json"

// fields are the members of an instance as a client writes them.
type fields map[string]any

// registration is an ordinary registration.
func registration(app, id string) fields {
	return fields{
		"instanceId": id, "app": app, "hostName": "10.0.0.9", "ipAddr": "10.0.0.9", "status": "UP",
		"port": fields{"$": 8080, "@enabled": "true"}, "securePort": fields{"$": 443, "@enabled": "false"},
		"vipAddress":         strings.ToLower(app),
		"dataCenterInfo":     fields{"@class": "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name": "MyOwn"},
		"leaseInfo":          fields{"renewalIntervalInSecs": 30, "durationInSecs": 90},
		"lastDirtyTimestamp": "1000",
	}
}

// with is f with other members; nil leaves one out.
func (f fields) with(others fields) fields {
	f = maps.Clone(f)
	for name, value := range others {
		if value == nil {
			delete(f, name)
		} else {
			f[name] = value
		}
	}
	return f
}

// document is the body that f is registered with.
func (f fields) document(t testing.TB) string {
	t.Helper()
	body, err := json.Marshal(fields{"instance": f})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// register registers f and wants it to be taken.
func (s *server) register(f fields) {
	s.t.Helper()
	a := s.send("POST", "/eureka/apps/"+f["app"].(string), f.document(s.t), contentJSON)
	s.want(a, http.StatusNoContent)
	if len(a.raw) != 0 || a.Header.Get("Content-Type") != "" {
		s.t.Errorf("registration is answered with %q, Content-Type %q; want nothing", a.raw, a.Header.Get("Content-Type"))
	}
	s.settle()
}

func (s *server) want(a answer, code int) {
	s.t.Helper()
	if a.StatusCode != code {
		s.t.Fatalf("answer = %d %s, want %d", a.StatusCode, a.text, code)
	}
}

// instance reads one instance.
func (s *server) instance(path string) *eureka.Instance {
	s.t.Helper()
	a := s.get(path, acceptJSON)
	s.want(a, http.StatusOK)
	inst, err := codec.DecodeInstance(codec.JSON, a.raw)
	if err != nil {
		s.t.Fatalf("GET %s: %v", path, err)
	}
	return inst
}

// listed are the instances of the full list, by app and id.
func (s *server) listed() map[string]*eureka.Instance {
	s.t.Helper()
	s.settle()
	apps, err := codec.DecodeApplications(codec.JSON, s.get("/eureka/apps", acceptJSON).raw)
	if err != nil {
		s.t.Fatal(err)
	}
	all := make(map[string]*eureka.Instance)
	for _, app := range apps.Applications {
		for _, inst := range app.Instances {
			all[app.Name+"/"+inst.ID] = inst
		}
	}
	return all
}

func TestRefusedRegistrations(t *testing.T) {
	s := startWrites(t)
	ordinary := registration("BAD", "i1")
	tests := []struct {
		name     string
		change   fields
		reason   string
		labelled string // with text/plain if empty
	}{
		{"no id", fields{"instanceId": nil, "hostName": nil}, "Missing instanceId: neither it nor hostName is given", "application/json"},
		{"no host name", fields{"hostName": nil}, "Missing hostname: hostName is not given", "application/json"},
		{"empty host name", fields{"hostName": ""}, "Missing hostname: hostName is not given", "application/json"},
		{"no address", fields{"ipAddr": nil}, "Missing ip address: ipAddr is not given", "application/json"},
		{"another app", fields{"app": "other"}, "Mismatched appName, expecting BAD but was OTHER", "application/json"},
		{"another app on two lines", fields{"app": "a\r\nb"}, "Mismatched appName, expecting BAD but was A\uFFFD\uFFFDB", "application/json"},
		{"no data centre", fields{"dataCenterInfo": nil}, "Missing dataCenterInfo: dataCenterInfo.name is not given", "application/json"},
		{"data centre without name", fields{"dataCenterInfo": fields{"@class": "x"}}, "Missing dataCenterInfo Name: dataCenterInfo.name is not given", "application/json"},
		{"the first of two", fields{"hostName": nil, "dataCenterInfo": fields{}}, "Missing hostname: hostName is not given", "application/json"},
		{"a status that is none", fields{"status": "SIDEWAYS"}, `status: "SIDEWAYS" is no status`, ""},
		{"a port that is none", fields{"port": fields{"$": "http"}}, `port: "http" is no integer`, ""},
		{"port 0", fields{"port": fields{"$": 0, "@enabled": "true"}}, "port: 0 is enabled; give a number from 1 to 65535", ""},
		{"port 0 without a word of it", fields{"port": 0}, "port: 0 is enabled; give a number from 1 to 65535", ""},
		{"secure port 0", fields{"securePort": fields{"$": "0", "@enabled": true}}, "securePort: 0 is enabled; give a number from 1 to 65535", ""},
		{"nested metadata", fields{"metadata": fields{"a": fields{"b": "c"}}}, `metadata: the value of "a" is not text`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.send("POST", "/eureka/apps/bad", ordinary.with(tt.change).document(t), contentJSON, acceptJSON)
			labelled := tt.labelled
			if labelled == "" {
				labelled = "text/plain; charset=utf-8"
			}
			if a.StatusCode != http.StatusBadRequest || a.text != tt.reason+"\n" || a.Header.Get("Content-Type") != labelled {
				t.Errorf("answer = %d %q, Content-Type %q; want 400 %q, %q", a.StatusCode, a.text, a.Header.Get("Content-Type"), tt.reason, labelled)
			}
			if all := s.listed(); len(all) != 0 {
				t.Errorf("stored all the same: %v", all)
			}
		})
	}
}

func TestPortsThatAreNotInUseMayBe0(t *testing.T) {
	s := startWrites(t)
	for id, ports := range map[string]fields{
		"plain":  {"securePort": fields{"$": 0, "@enabled": "false"}},
		"secure": {"port": fields{"$": 0, "@enabled": "false"}, "securePort": fields{"$": 8443, "@enabled": "true"}},
	} {
		s.register(registration("A", id).with(ports))
	}
}

func TestFieldCase7_NoDataCentreIsRefusedAndBreaksNoRead(t *testing.T) {
	s := startWrites(t)
	a := s.send("POST", "/eureka/apps/X", registration("X", "i1").with(fields{"dataCenterInfo": nil}).document(t), contentJSON)
	if a.StatusCode != http.StatusBadRequest || !strings.Contains(a.text, "dataCenterInfo") {
		t.Errorf("answer = %d %q, want 400 that names dataCenterInfo", a.StatusCode, a.text)
	}
	s.want(s.get("/eureka/apps", acceptJSON), http.StatusOK)
	s.wantEmpty(s.get("/", "Accept: text/html"), http.StatusNotFound) // the page is the program's: it has a test of this case of its own
}

func TestFieldCase8_TheReasonNamesTheField(t *testing.T) {
	s := startWrites(t)
	tests := []struct{ name, body, contentType, reason string }{
		{"first missing field", `{"instance":{"app":"X"}}`, "application/json", "Missing instanceId: neither it nor hostName is given"},
		{"cut short", `{`, "application/json", "JSON could not be parsed at byte 1: unexpected end"},
		{"empty", ``, "application/json", "the body is empty"},
		{"blank", " \n", "application/xml", "the body is empty"},
		{"null", `null`, "application/json", "JSON could not be parsed at byte 0: it holds no instance"},
		{"a list, over which upstream hangs for ever", `{"instance":[]}`, "application/json", "JSON could not be parsed at byte 0: it holds no instance"},
		{"a list as metadata, over which it hangs too", `{"instance":{"hostName":"h","metadata":[]}}`, "application/json", "metadata: is no object"},
		{"XML cut short", `<instance>`, "application/xml", `XML could not be parsed at byte 10: element "instance" is not ended`},
		{"a document type", `<!DOCTYPE x [<!ENTITY a "b">]><instance>&a;</instance>`, "application/xml", "XML could not be parsed at byte 0: document types are not accepted"},
		{"not UTF-8", "{\"instance\":{\"app\":\"\xff\"}}", "application/json; charset=latin1", "JSON could not be parsed at byte 20: it is not UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.send("POST", "/eureka/apps/X", tt.body, "Content-Type: "+tt.contentType)
			if a.StatusCode != http.StatusBadRequest || a.text != tt.reason+"\n" {
				t.Errorf("answer = %d %q, want 400 %q", a.StatusCode, a.text, tt.reason)
			}
		})
	}
}

func TestFieldCase9_AppComesFromTheURLWhenAbsent(t *testing.T) {
	s := startWrites(t)
	s.want(s.send("POST", "/eureka/apps/pay", registration("PAY", "i1").with(fields{"app": nil}).document(t), contentJSON), http.StatusNoContent)
	s.want(s.send("POST", "/eureka/apps/PAY", registration("REFUND", "i2").document(t), contentJSON), http.StatusBadRequest)
	if all := s.listed(); len(all) != 1 || all["PAY/i1"] == nil || all["PAY/i1"].App != "PAY" {
		t.Errorf("listed = %v, want PAY/i1 alone", all)
	}
}

func TestFieldCase10_EveryInstanceHasAVIP(t *testing.T) {
	s := startWrites(t)
	s.want(s.send("POST", "/eureka/apps/BILL", `{"instance":`+strings.Replace(registration("BILL", "i1").document(t)[len(`{"instance":`):], `"vipAddress":"bill"`, `"vipAddress":null`, 1), contentJSON), http.StatusNoContent)
	s.settle()
	if got := s.instance("/eureka/apps/BILL/i1").VIPAddress; got != "bill" {
		t.Errorf("vipAddress = %q, want bill", got)
	}
	if a := s.get("/eureka/vips/bill", acceptJSON); !strings.Contains(a.text, `"i1"`) {
		t.Errorf("GET vips/bill = %s, want i1", a.text)
	}
}

func TestFieldCase14_TheHostNameIsTheIDWhenNoneIsSent(t *testing.T) {
	s := startWrites(t)
	s.register(registration("WEB", "").with(fields{"instanceId": nil, "hostName": "node-1"}))
	if got := s.instance("/eureka/apps/WEB/node-1").ID; got != "node-1" {
		t.Errorf("instanceId = %q, want node-1", got)
	}
	s.want(s.do("PUT", "/eureka/apps/WEB/node-1"), http.StatusOK)
	s.want(s.do("DELETE", "/eureka/apps/WEB/node-1"), http.StatusOK)
}

func TestAmazonInstances(t *testing.T) {
	s := startWrites(t)
	amazon := func(metadata fields) fields {
		return fields{"@class": "com.netflix.appinfo.AmazonInfo", "name": "Amazon", "metadata": metadata}
	}
	s.register(registration("CLOUD", "").with(fields{"instanceId": nil, "dataCenterInfo": amazon(fields{"instance-id": "i-1"})}))
	s.register(registration("CLOUD", "c2").with(fields{"dataCenterInfo": amazon(fields{})}))
	for _, id := range []string{"i-1", "c2"} {
		if got := s.instance("/eureka/apps/CLOUD/" + id).DataCenterInfo.Metadata["instance-id"]; got != id {
			t.Errorf("instance-id of %s = %q", id, got)
		}
	}
}

func TestFieldCase27_AnExpiredInstanceIsNotFoundAndComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, withLeases)
		s.open()
		f := registration("A", "i1").with(fields{"leaseInfo": fields{"renewalIntervalInSecs": 1, "durationInSecs": 3}})
		s.register(f)
		time.Sleep(2 * time.Second)
		s.want(s.do("PUT", "/eureka/apps/A/i1"), http.StatusOK)
		time.Sleep(4 * time.Second)
		s.want(s.do("PUT", "/eureka/apps/A/i1?status=UP&lastDirtyTimestamp=1000"), http.StatusNotFound)
		s.want(s.get("/eureka/apps/A/i1"), http.StatusNotFound)
		s.register(f)
		if got := s.listed()["A/i1"]; got == nil || got.Status != eureka.StatusUp {
			t.Errorf("after registering again: %+v, want it listed UP", got)
		}
	})
}

func TestFieldCase39_LeaseDefaults(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1").with(fields{"leaseInfo": nil, "port": nil, "securePort": nil}))
	inst := s.instance("/eureka/apps/A/i1")
	if l := inst.Lease; l.RenewalIntervalInSecs != 30 || l.DurationInSecs != 90 || l.RegistrationTimestamp <= 0 || l.LastRenewalTimestamp <= 0 || l.EvictionTimestamp != 0 {
		t.Errorf("leaseInfo = %+v, want 30, 90 and when it registered", l)
	}
	if inst.Port != (eureka.Port{Number: 7001, Enabled: true}) || inst.SecurePort != (eureka.Port{Number: 7002}) {
		t.Errorf("ports = %v, %v; want 7001 enabled and 7002 disabled", inst.Port, inst.SecurePort)
	}
}

func TestDirtyTimestampOfNothingIsNow(t *testing.T) {
	s := startWrites(t)
	for name, stamp := range map[string]any{"absent": nil, "null": json.RawMessage("null"), "0": 0, "0 as text": "0", "empty text": ""} {
		start := time.Now().UnixMilli()
		s.register(registration("A", "i1").with(fields{"lastDirtyTimestamp": 1000}))
		s.register(registration("A", "i1").with(fields{"lastDirtyTimestamp": stamp, "asgName": name}))
		got := s.instance("/eureka/apps/A/i1")
		if now := time.Now().UnixMilli() + 1; got.LastDirtyTimestamp < start || got.LastDirtyTimestamp > now || got.ASGName != name {
			t.Errorf("%s: lastDirtyTimestamp = %d of %q, want between %d and %d", name, got.LastDirtyTimestamp, got.ASGName, start, now)
		}
		s.want(s.do("DELETE", "/eureka/apps/A/i1"), http.StatusOK)
	}
}

func TestTheServersFieldsAreTheServers(t *testing.T) {
	s := startWrites(t)
	start := time.Now().UnixMilli()
	s.register(registration("A", "i1").with(fields{
		"isCoordinatingDiscoveryServer": true, "actionType": "DELETED", "lastUpdatedTimestamp": "9000000000000000",
		"leaseInfo": fields{"registrationTimestamp": 1, "lastRenewalTimestamp": 9000000000000000, "evictionTimestamp": 5, "serviceUpTimestamp": 1},
	}))
	got := s.instance("/eureka/apps/A/i1")
	now := time.Now().UnixMilli() + 1
	for name, at := range map[string]int64{
		"lastUpdatedTimestamp": got.LastUpdatedTimestamp, "registrationTimestamp": got.Lease.RegistrationTimestamp,
		"lastRenewalTimestamp": got.Lease.LastRenewalTimestamp, "serviceUpTimestamp": got.Lease.ServiceUpTimestamp,
	} {
		if at < start || at > now {
			t.Errorf("%s = %d, want between %d and %d", name, at, start, now)
		}
	}
	if got.IsCoordinatingDiscoveryServer || got.ActionType != eureka.ActionAdded || got.Lease.EvictionTimestamp != 0 {
		t.Errorf("instance = %+v, want none of what the client claimed", got)
	}
}

func TestEverythingElseIsTheClients(t *testing.T) {
	s := startWrites(t)
	sent := registration("A", "i1").with(fields{
		"appGroupName": "SHOP", "homePageUrl": "h", "statusPageUrl": "s", "healthCheckUrl": "c", "secureHealthCheckUrl": "sc", "sid": "x",
		"vipAddress": "A,B", "secureVipAddress": "C", "asgName": "g", "countryId": 49, "metadata": fields{"zone": "z", "gone": json.RawMessage("null"), "n": 5, "b": true, "": "x"},
	})
	s.register(sent)
	want, err := codec.DecodeInstance(codec.JSON, []byte(sent.document(t)))
	if err != nil {
		t.Fatal(err)
	}
	got := s.instance("/eureka/apps/A/i1")
	got.Lease, got.LastUpdatedTimestamp, got.ActionType = want.Lease, want.LastUpdatedTimestamp, want.ActionType
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("instance (-sent +served):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"zone": "z", "n": "5", "b": "true"}, got.Metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
}

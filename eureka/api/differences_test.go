package api

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// wantedDifferences are the differences between the recordings and our answers
// that we mean. The subject is that of a row of docs/differences.md. A difference
// reads
//
//	404→200 /path/of/the/value: recorded → ours
//
// with both status codes and "-" for what is not there.
var wantedDifferences = []struct {
	subject     string
	exchanges   string // pattern of their names
	differences string // pattern, of the whole text
}{
	{"`versions__delta`", ``, `200→200 /applications/versions__delta: "?\d+"? → "?\d{16}"?`},
	{"`registeredApplicationsEmpty` in the compact form", `compact$`, `200→200 /applications/registeredApplicationsEmpty: (true|false) → -`},
	{"`ETag`, `If-None-Match`", ``, `200→200 header ETag: - → tag`},
	{"`Vary`", ``, `(200→200|409→409) header Vary: - → Accept(, Accept-Encoding, X-Eureka-Accept)?`},

	{"404 and 405", ``, `(404→404|405→405) (body: error page → -|header Content-Type: application/(json|xml;charset=UTF-8) → -|header Content-Disposition: inline;filename=f.txt → -|header Vary: Access-Control-Request-Headers → -)`},
	{"`Allow` and `OPTIONS`", `^method`, `405→405 header Allow: .*GET.* → .*GET,HEAD,OPTIONS.*`},
	{"`Allow` and `OPTIONS`", `^method OPTIONS`, `200→200 header Content-Type: application/json → -`},
	{"Doubled slashes inside a path", `//|double slash`, `404→200 .*`},
	{"`%2F` in an id", `^instance out of service`, `400→200 .*`},
	{"`PUT asg/{name}/status`", `^asg$`, `400→404 .*`},

	{"`Accept` that admits neither JSON nor XML", `^accept`, `406→200 .*`},
	{"`Accept` with both", `^accept`, `200→200 header Content-Type: application/xml → application/json`},
	{"`Accept-Encoding: gzip;q=0`", `^encoding gzip;q=0$`, `200→200 header Content-Encoding: gzip → -`},
	{"`GET status` in JSON", `^path /eureka/status$`, `500→200 .*`},
	{"What `GET status` tells", `^path status xml$`, `200→200 (/com.netflix.eureka.util.StatusInfo/((general|application)Stats|instanceInfo)/.*|header Vary: - → Accept)`},
	{"Status of one instance in XML", `^overridden instance xml`, `200→200 /instance\[.*\]/status: DOWN → OUT_OF_SERVICE`},
	{"A colon in a metadata key, in XML", `xml`, `200→200 .*/metadata/(colon:key: v → -|colon_.003akey: - → v)`},

	{"Reason of a refused body", `^(register (broken|empty|nested|gzip)|batch broken)`, `400→400 (body: .*cannot parse request body.* → \S.*|header Content-Type: application/(json|xml) → text/plain; charset=utf-8)`},
	{"Reason of a refused body", `^register without`, `400→400 body: Missing (instanceId|hostname|ip address|dataCenterInfo( Name)?) → Missing (instanceId: neither it nor hostName|hostname: hostName|ip address: ipAddr|dataCenterInfo( Name)?: dataCenterInfo.name) is (not )?given`},
	{"Reason of a 415", `^register as text$`, `415→415 (body: error page → Content-Type "text/plain" is neither JSON nor XML|header Content-Type: application/json → text/plain; charset=utf-8)`},
	{"`Content-Type` of a registration", `^register without content type$`, `415→204 .*`},
	{"App of a registration without one", `^register without app$`, `400→204 .*`},
	{"Registration without an object around it", `^register unwrapped$`, `400→204 .*`},
	{"A field that cannot be read", `^register bad (status|port)$`, `204→400 .*`},
	{"A field that cannot be read", ``, `200→200 .*/instance\[10\.0\.0\.5:orders:8080\]/port(/\$)?: 0 → 8080`},
	{"A field that cannot be read", `^instance by id json`, `200→200 /instance/port/\$: 0 → 8080`}, // the first of two apps with the id
	{"`null` in metadata", ``, `200→200 .*\[l4\]/metadata/a: "?null"? → -`},
	{"VIP of a registration without one", ``, `200→200 /.*/vipAddress: - → "?mini"?`},
	{"Id of a registration without one", ``, `200→200 /.*/instanceId: - → "?noid-1"?`},

	{"A listed instance that changes", ``, `200→200 /.*/actionType: "?ADDED"? → "?MODIFIED"?`},
	{"`lastDirtyTimestamp` that is no number", `^heartbeat dirty not a number$`, `500→400 .*`},
	{"`value` of a status request", `^override (without value|nonsense)$`, `500→400 .*`},
	{"`value` of a status request", `^override lower case value$`, `500→200 .*`},
	{"`value` of a status request", `^(after metadata|delta at the end)`, `200→200 /.*/([sS]tatus|overridden[sS]tatus): "?UNKNOWN"? → "?DOWN"?`},
	{"A status that a client reports", `^(flip result|(delta|apps) at the end)`, `200→200 /.*(instance|\[f1\])/(status: "?OUT_OF_SERVICE"? → "?UP"?|leaseInfo/serviceUpTimestamp: 0 → now)`},
	{"A status that a client reports", `^(delta|apps) at the end`, `200→200 /applications/apps__hashcode: "?OUT_OF_SERVICE_2_STARTING_1_UP_11_"? → "?OUT_OF_SERVICE_1_STARTING_1_UP_12_"?`},
	{"The instance in a 409 of a batch", `^batch$`, `200→200 /responseList\[3\]/responseEntity/actionType: "DELETED" → "ADDED"`},
	{"A batch that is none", `^batch null$`, `500→400 .*`},
}

// allowances are the wanted differences, and how often each was met.
type allowances struct {
	exchanges, differences []*regexp.Regexp
	used                   []int
}

// newAllowances wants each subject to be that of a row.
func newAllowances(t *testing.T) *allowances {
	t.Helper()
	rows, err := os.ReadFile("../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	a := &allowances{used: make([]int, len(wantedDifferences))}
	for _, w := range wantedDifferences {
		if !strings.Contains(string(rows), "\n| "+w.subject+" |") {
			t.Errorf("docs/differences.md has no row %q", w.subject)
		}
		a.exchanges = append(a.exchanges, regexp.MustCompile(w.exchanges))
		a.differences = append(a.differences, regexp.MustCompile("^("+w.differences+")$"))
	}
	return a
}

// check wants every difference of an exchange to be allowed.
func (a *allowances) check(t *testing.T, e *exchange, status int, differences []difference) {
	t.Helper()
	for _, d := range differences {
		text := fmt.Sprintf("%d→%d %v", e.Response.Status, status, d)
		allowed := false
		for i := range wantedDifferences {
			if a.exchanges[i].MatchString(e.Name) && a.differences[i].MatchString(text) {
				a.used[i]++
				allowed = true
			}
		}
		if !allowed {
			t.Errorf("%d %s: %s", e.N, e.Name, text)
		}
	}
}

// wantAllUsed wants no difference in the table that there is not.
func (a *allowances) wantAllUsed(t *testing.T) {
	t.Helper()
	for i, w := range wantedDifferences {
		if a.used[i] == 0 {
			t.Errorf("no answer differs by %q, %q", w.subject, w.differences)
		}
	}
}

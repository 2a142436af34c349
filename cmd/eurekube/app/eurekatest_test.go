package app

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka/eurekatest"
)

// inProcess carries requests to a handler, and lets a test make a fault of the
// answers.
type inProcess struct {
	handler http.Handler
	fault   func(*http.Request, *answered) // nil for none
}

// answered is an answer that a fault changes.
type answered struct {
	code   int
	header http.Header
	body   []byte
}

func (c inProcess) RoundTrip(request *http.Request) (*http.Response, error) {
	// A server sees a path, no URL, and an address.
	received := httptest.NewRequestWithContext(request.Context(), request.Method, request.URL.RequestURI(), request.Body)
	received.Header = request.Header
	recorder := httptest.NewRecorder()
	c.handler.ServeHTTP(recorder, received)
	a := &answered{recorder.Code, recorder.Result().Header, recorder.Body.Bytes()}
	if c.fault != nil {
		c.fault(request, a)
	}
	return &http.Response{StatusCode: a.code, Header: a.header, Body: io.NopCloser(bytes.NewReader(a.body)), Request: request}, nil
}

// accept runs the checks, all unless names are given, and returns the names of
// those that failed.
func (r *rig) accept(carrier inProcess, names ...string) (failed []string) {
	r.Helper()
	checks := eurekatest.Checks()
	if len(names) > 0 {
		checks = slices.DeleteFunc(checks, func(c eurekatest.Check) bool { return !slices.Contains(names, c.Name) })
	}
	results, err := eurekatest.Run(r.Context(), eurekatest.Config{BaseURL: "http://eurekube/eureka", Transport: carrier, Checks: checks})
	if err != nil {
		r.Fatal(err)
	}
	for _, result := range results {
		if result.Err != nil {
			failed = append(failed, result.Name)
			r.Logf("%s: %v", result.Name, result.Err)
		}
	}
	return failed
}

func TestAcceptance(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.serve()
		r.create(pod("a", "10.0.0.5", "web")) // the checks leave alone what is there
		if failed := r.accept(inProcess{handler: r.api}); len(failed) > 0 {
			t.Errorf("failed: %q", failed)
		}
		r.settle() // the last lease ended only now
		r.wantListed("10.0.0.5:web:8080 UP")
	})
}

// faults are made one at a time, each seen of a server, and named are checks that
// must notice it. All others may.
type faults []struct {
	name  string
	fault func(*http.Request, *answered)
	noted []string
}

func (tests faults) run(t *testing.T) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.serve()
				failed := r.accept(inProcess{r.api, tt.fault}, tt.noted...)
				if diff := cmp.Diff(tt.noted, failed, cmp.Transformer("sorted", func(s []string) []string { return slices.Sorted(slices.Values(s)) })); diff != "" {
					t.Errorf("checks that failed (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestAcceptanceSeesFaultsOfStatus(t *testing.T) {
	type request = *http.Request
	type answer = *answered
	code := func(method string, from, to int) func(request, answer) {
		return func(r request, a answer) {
			if r.Method == method && a.code == from {
				a.code = to
			}
		}
	}
	faults{
		{name: "a registration is answered 200", fault: code("POST", 204, 200), noted: []string{"register/json", "register/xml"}},
		{name: "a cancel is answered 204", fault: code("DELETE", 200, 204), noted: []string{"cancel/once"}},
		{name: "a heartbeat of nobody is answered 400", fault: code("PUT", 404, 400), noted: []string{"heartbeat/unknown", "status/unknown", "metadata/unknown"}},
		{name: "a redirect to the path without a slash", noted: []string{"path/slash-at-end"}, fault: func(r request, a answer) {
			if strings.HasSuffix(r.URL.Path, "/") {
				a.code = http.StatusMovedPermanently
				a.header.Set("Location", strings.TrimSuffix(r.URL.Path, "/"))
			}
		}},
		{name: "a refused registration is taken", fault: code("POST", 400, 204), noted: []string{"refuse/missing-fields", "refuse/other-app", "refuse/malformed", "refuse/doctype", "refuse/values"}},
		{name: "a status cannot be removed", fault: func(r request, a answer) {
			if r.Method == http.MethodDelete && strings.HasSuffix(r.URL.Path, "/status") {
				a.code = http.StatusMethodNotAllowed
			}
		}, noted: []string{"status/removed", "status/removed-to"}},
	}.run(t)
}

func TestAcceptanceSeesFaultsOfContent(t *testing.T) {
	type request = *http.Request
	type answer = *answered
	replace := func(old, with string) func(request, answer) {
		return func(_ request, a answer) {
			a.body = bytes.ReplaceAll(a.body, []byte(old), []byte(with))
		}
	}
	faults{
		{name: "a 404 has a body", noted: []string{"heartbeat/unknown-empty"}, fault: func(_ request, a answer) {
			if a.code == http.StatusNotFound {
				a.header.Set("Content-Type", "application/json")
				a.body = []byte(`{"status":404}`)
			}
		}},
		{name: "a heartbeat has a body", noted: []string{"heartbeat/known"}, fault: func(r request, a answer) {
			if r.Method == http.MethodPut && a.code == http.StatusOK {
				a.body = []byte("OK")
			}
		}},
		{name: "a fixed hash", fault: replace("UP_", "UP_9"), noted: []string{"read/hash", "read/vips"}},
		{name: "the delta is empty", noted: []string{"delta/added", "delta/deleted", "delta/modified", "delta/replay"}, fault: func(r request, a answer) {
			if strings.HasSuffix(r.URL.Path, "/delta") {
				a.body = []byte(`{"applications":{"versions__delta":"1","apps__hashcode":"","application":[]}}`)
			}
		}},
		{name: "the enabled flag is a boolean", fault: replace(`"@enabled":"true"`, `"@enabled":true`), noted: []string{"register/json", "form/json"}},
		{name: "the port is text", fault: replace(`"$":8080`, `"$":"8080"`), noted: []string{"register/json", "form/json"}},
		{name: "a URL is left out", fault: replace(`"statusPageUrl":`, `"unknownUrl":`), noted: []string{"register/json", "register/xml", "register/spring"}},
		{name: "a URL is left out in XML", fault: replace("statusPageUrl>", "unknownUrl>"), noted: []string{"form/xml"}},
		{name: "a time of the lease is left out", fault: replace(`,"evictionTimestamp":0`, ""), noted: []string{"register/json"}},
		{name: "text is not escaped in XML", fault: replace("&amp;", "&"), noted: []string{"form/xml"}},
		{name: "null in place of no metadata", fault: replace(`{"@class":"java.util.Collections$EmptyMap"}`, "null"), noted: []string{"form/no-metadata"}},
		{name: "no element in place of no metadata", fault: replace(`<metadata class="java.util.Collections$EmptyMap"/>`, ""), noted: []string{"form/no-metadata"}},
		{name: "no Vary", fault: func(_ request, a answer) { a.header.Del("Vary") }, noted: []string{"read/vary"}},
		{name: "the delta is upside down", fault: upsideDown, noted: []string{"delta/deleted-last"}},
		{name: "an override is not shown", fault: replace(`"overriddenStatus":"OUT_OF_SERVICE"`, `"overriddenStatus":"UNKNOWN"`), noted: []string{"status/override", "status/any-case"}},
		{name: "timestamps are numbers", noted: []string{"form/json"}, fault: func(r request, a answer) {
			if strings.HasSuffix(r.URL.Path, "/apps") {
				replace(`"lastDirtyTimestamp":"1700000000000"`, `"lastDirtyTimestamp":1700000000000`)(r, a)
			}
		}},
		{name: "metadata keys are not escaped in XML", fault: replace("team__name", "team_name"), noted: []string{"form/xml-names"}},
		{name: "gzip whatever is asked", noted: []string{"read/gzip"}, fault: func(_ request, a answer) { a.header.Set("Content-Encoding", "gzip") }},
		{name: "no type", fault: func(_ request, a answer) { a.header.Del("Content-Type") }, noted: []string{"register/json", "form/xml"}},
		{name: "a batch lacks an item", fault: replace(`{"statusCode":200},`, ``), noted: []string{"batch/items"}},
	}.run(t)
}

// upsideDown turns the instances of each application of a delta in JSON round.
func upsideDown(r *http.Request, a *answered) {
	if !strings.HasSuffix(r.URL.Path, "/delta") {
		return
	}
	var delta struct {
		Applications struct {
			Version     string `json:"versions__delta"`
			HashCode    string `json:"apps__hashcode"`
			Application []struct {
				Name     string            `json:"name"`
				Instance []json.RawMessage `json:"instance"`
			} `json:"application"`
		} `json:"applications"`
	}
	if err := json.Unmarshal(a.body, &delta); err != nil {
		panic(err) // a delta in another form is asked for
	}
	for _, app := range delta.Applications.Application {
		slices.Reverse(app.Instance)
	}
	body, err := json.Marshal(delta)
	if err != nil {
		panic(err) // what was decoded a moment ago
	}
	a.body = body
}

// TestAcceptanceDifferencesAreDocumented looks a check's difference up among the
// subjects of docs/differences.md.
func TestAcceptanceDifferencesAreDocumented(t *testing.T) {
	rows, err := os.ReadFile("../../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range eurekatest.Checks() {
		if check.Difference != "" && !strings.Contains(string(rows), "\n| "+check.Difference+" |") {
			t.Errorf("%s: docs/differences.md has no row %q", check.Name, check.Difference)
		}
	}
}

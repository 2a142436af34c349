package app

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const asJSON = "Accept: application/json"

// get reads a path of the API with headers written as "Name: value".
func (r *rig) get(path string, headers ...string) *httptest.ResponseRecorder {
	r.Helper()
	return ask(r.api, http.MethodGet, path, headers...)
}

func ask(handler http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(method, path, nil)
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		req.Header.Add(name, value)
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, req)
	return answer
}

// read fills fromJSON and fromXML with the path's two forms by the standard
// library, and fails unless they say the same.
func (r *rig) read(path string, fromJSON, fromXML any) {
	r.Helper()
	inJSON, inXML := r.get(path, asJSON), r.get(path)
	if inJSON.Code != http.StatusOK || inXML.Code != http.StatusOK {
		r.Fatalf("GET %s = %d in JSON and %d in XML, want 200", path, inJSON.Code, inXML.Code)
	}
	if err := json.Unmarshal(inJSON.Body.Bytes(), fromJSON); err != nil {
		r.Fatalf("GET %s: %v in\n%s", path, err, inJSON.Body)
	}
	if err := xml.Unmarshal(inXML.Body.Bytes(), fromXML); err != nil {
		r.Fatalf("GET %s: %v in\n%s", path, err, inXML.Body)
	}
}

// apps reads a collection.
func (r *rig) apps(path string) applications {
	r.Helper()
	var fromXML applications
	var fromJSON struct {
		Applications applications `json:"applications"`
	}
	r.read(path, &fromJSON, &fromXML)
	r.equal("GET "+path+" in XML and in JSON", fromXML, fromJSON.Applications)
	return fromXML
}

// app reads one application.
func (r *rig) app(name string) application {
	r.Helper()
	var fromXML application
	var fromJSON struct {
		Application application `json:"application"`
	}
	r.read("/eureka/apps/"+name, &fromJSON, &fromXML)
	r.equal("application in XML and in JSON", fromXML, fromJSON.Application)
	return fromXML
}

// one reads the only instance of an application.
func (r *rig) one(app string) instance {
	r.Helper()
	instances := r.app(app).Instances
	if len(instances) != 1 {
		r.Fatalf("%s has %d instances, want 1", app, len(instances))
	}
	return instances[0]
}

// wantListed compares the full list, each instance as "id status", and its hash
// with a count of our own.
func (r *rig) wantListed(want ...string) {
	r.Helper()
	list := r.apps("/eureka/apps")
	got := list.each(func(i instance) string { return i.ID + " " + i.Status })
	slices.Sort(got)
	r.equal("listed instances", got, want)
	r.equal("apps__hashcode", list.HashCode, list.count())
}

// wantDelta compares the delta, each entry as "action id", and that it carries the
// hash and version of the full list. In each application those that went come last
// (field case 45).
func (r *rig) wantDelta(want ...string) {
	r.Helper()
	list, delta := r.apps("/eureka/apps"), r.apps("/eureka/apps/delta")
	for _, app := range delta.Applications {
		went := func(i instance) bool { return i.ActionType == "DELETED" }
		listed := func(i instance) bool { return !went(i) }
		if first := slices.IndexFunc(app.Instances, went); first >= 0 && slices.ContainsFunc(app.Instances[first:], listed) {
			r.Errorf("in the delta, %s lists others after what was deleted: %+v", app.Name, app.Instances)
		}
	}
	got := delta.each(func(i instance) string { return i.ActionType + " " + i.ID })
	r.equal("entries of the delta", slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
	r.equal("hash of the delta", delta.HashCode, list.HashCode)
	r.equal("version of the delta", delta.VersionsDelta, list.VersionsDelta)
}

func (r *rig) equal(what string, got, want any) {
	r.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		r.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// each makes a line of every instance, by application and then in its order.
func (a applications) each(line func(instance) string) []string {
	var lines []string
	inOrder := slices.SortedFunc(slices.Values(a.Applications), func(x, y application) int { return strings.Compare(x.Name, y.Name) })
	for _, app := range inOrder {
		for _, i := range app.Instances {
			lines = append(lines, line(i))
		}
	}
	return lines
}

// count is the hash code as clients count it.
func (a applications) count() string {
	counts := map[string]int{}
	var statuses []string
	for _, status := range a.each(func(i instance) string { return i.Status }) {
		if counts[status]++; counts[status] == 1 {
			statuses = append(statuses, status)
		}
	}
	slices.Sort(statuses)
	var hash strings.Builder
	for _, status := range statuses {
		fmt.Fprintf(&hash, "%s_%d_", status, counts[status])
	}
	return hash.String()
}

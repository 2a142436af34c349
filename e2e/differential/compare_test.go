package differential

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/e2e/flat"
)

func TestNames(t *testing.T) {
	n := newNames(17)
	n.lives[3] = 2
	sent := n.expand(request{path: "/apps/A«n»/h«3»", headers: []string{"X: «3»"}, body: "«0»«n»", touches: []instance{{"A«n»", "«3»"}}})
	want := request{path: "/apps/Ax17x/hs3x17xr2", headers: []string{"X: s3x17xr2"}, body: "s0x17xr0x17x", touches: []instance{{"Ax17x", "s3x17xr2"}}}
	if diff := cmp.Diff(want, sent, cmp.AllowUnexported(request{}, instance{})); diff != "" {
		t.Errorf("expand() (-want +got):\n%s", diff)
	}
	for said, want := range map[string]string{
		"AX17X":           "A",
		"hs3x17xr2.local": "hs3.local",
		"hs3x17xr1.local": "h" + stale + ".local", // the former life
		"AX16X":           "A" + stale,            // another play
		"0x1f x86":        "0x1f x86",
	} {
		if got := n.hide(said); got != want {
			t.Errorf("hide(%q) = %q, want %q", said, got, want)
		}
	}
	n.begin(request{path: "/apps/A«n»/«3»", body: "«0»"})
	if want := [10]int{0: 1, 3: 3}; n.lives != want {
		t.Errorf("lives = %v, want %v", n.lives, want)
	}
}

// TestFlatten wants what differs from server to server, or from play to play, to be
// alike, and the rest to stay.
func TestFlatten(t *testing.T) {
	n := newNames(2)
	n.odd = []instance{{"AX2X", "a"}}
	a := answer{
		status:  http.StatusOK,
		headers: http.Header{"Content-Type": {"application/json"}, "Etag": {`"x"`}, "Date": {"now"}, "Allow": {"PUT, GET"}},
		body: `{"applications":{"application":[{"name":"AX2X","instance":[{"instanceId":"s1x2xr0","at":1},{"instanceId":"a"}]},` +
			`{"name":"BX2X","instance":[{"instanceId":"s1x2xr9"}]},{"name":"CX1X","instance":[]}]}}`,
	}
	got := flatten(request{method: "GET"}, a, n)
	want := flat.Document{
		"header Content-Type": "application/json", "header ETag": "tag", "header Allow": "GET,PUT",
		"": flat.Nested, "/applications": flat.Nested, "/applications/application": flat.Nested,
		"/applications/application[A]": flat.Nested, "/applications/application[A]/name": `"A"`, "/applications/application[A]/instance": flat.Nested,
		"/applications/application[A]/instance[s1]": flat.Nested, "/applications/application[A]/instance[s1]/instanceId": `"s1"`, "/applications/application[A]/instance[s1]/at": "1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("flatten() (-want +got):\n%s", diff)
	}
}

func TestFlatten_Bodies(t *testing.T) {
	for _, test := range []struct {
		name, body string
		status     int
		want       flat.Document
	}{
		{name: "error page", status: 404, body: `{"timestamp":"now","status":404}`, want: flat.Document{"body": "error page"}},
		{name: "refusal", status: 400, body: "Missing hostname", want: flat.Document{"body": "Missing hostname"}},
		{name: "refusal with an end of line", status: 400, body: "Missing hostname\n", want: flat.Document{"body": "Missing hostname"}},
		{name: "what is no document", status: 200, body: "<a>", want: flat.Document{"body": `XML syntax error on line 1: unexpected EOF in "<a>"`}},
		{name: "forbidden characters", status: 200, body: "<a>&#x1;</a>", want: flat.Document{"/a": "\uFFFD", "forbidden characters": "as references"}},
		{name: "line feed", status: 200, body: "<a>&#xa;</a>", want: flat.Document{"/a": "\n"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := flatten(request{method: "GET"}, answer{status: test.status, body: test.body}, newNames(1))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("flatten() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlaceOfDeleted(t *testing.T) {
	n := newNames(1)
	n.odd = []instance{{"A", "odd"}}
	application := func(entries ...string) string {
		for i, entry := range entries {
			id, action, _ := strings.Cut(entry, " ")
			entries[i] = `{"instanceId":"` + id + `","hostName":"h","metadata":{"instanceId":"m"},"actionType":"` + action + `"}`
		}
		return `{"name":"A","instance":[` + strings.Join(entries, ",") + `]}`
	}
	for _, test := range []struct{ name, body, want string }{
		{"last", application("a ADDED", "b DELETED"), "last"},
		{"first", application("b DELETED", "a ADDED"), "before others"},
		{"between", application("c ADDED", "b DELETED", "a ADDED"), "before others"},
		{"alone", application("b DELETED"), ""},
		{"other applications", application("b DELETED") + application("a ADDED"), ""},
		{"before what nobody looks at", application("b DELETED", stale+" ADDED", "odd ADDED"), ""},
		{"in XML", "<application><name>A</name><instance><hostName>b</hostName><actionType>DELETED</actionType></instance><instance><instanceId>a</instanceId><actionType>MODIFIED</actionType></instance></application>", "before others"},
	} {
		if got := placeOfDeleted(test.body, n); got != test.want {
			t.Errorf("%s: placeOfDeleted(%s) = %q, want %q", test.name, test.body, got, test.want)
		}
	}
}

func TestAllowances(t *testing.T) {
	a, err := newAllowances([]allowance{
		{subject: "404 and 405", requests: "^read", differences: `404→404 body: .*`},
		{subject: "404 and 405", differences: `200→400 .*`, parts: true},
		{subject: "404 and 405", differences: `never`},
	}, "../../docs/differences.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		request, difference string
		wanted, parts       bool
	}{
		{request: "read", difference: "404→404 body: a → b", wanted: true},
		{request: "write", difference: "404→404 body: a → b"},
		{request: "read", difference: "1404→404 body: a → b"},
		{request: "write", difference: "200→400 body: a → b\nc", wanted: true, parts: true},
	} {
		if wanted, parts := a.check(test.request, test.difference); wanted != test.wanted || parts != test.parts {
			t.Errorf("check(%q, %q) = %t, %t, want %t, %t", test.request, test.difference, wanted, parts, test.wanted, test.parts)
		}
	}
	if unused := a.unused(""); len(unused) != 1 || !strings.Contains(unused[0], "never") {
		t.Errorf("unused() = %q, want the one that was never met", unused)
	}
	if _, err := newAllowances([]allowance{{subject: "no such row"}}, "../../docs/differences.md"); err == nil {
		t.Error("newAllowances() of a subject that no row has gave no error")
	}
}

func TestShortest(t *testing.T) {
	var requests []request
	for _, name := range strings.Split("abcdefghijklmnopqrs", "") {
		requests = append(requests, request{name: name})
	}
	all := func(requests []request) (text string) {
		for _, r := range requests {
			text += r.name
		}
		return text
	}
	got, err := shortest(requests, func(fewer []request) (bool, error) {
		text := all(fewer)
		return strings.Contains(text, "c") && strings.Contains(text, "k") && strings.HasSuffix(text, "s"), nil
	})
	if err != nil || all(got) != "cks" {
		t.Errorf("shortest() = %s, %v, want cks", all(got), err)
	}
	failed := errors.New("no answer")
	if got, err := shortest(requests, func([]request) (bool, error) { return false, failed }); !errors.Is(err, failed) || len(got) != len(requests) {
		t.Errorf("shortest() when nothing answers = %s, %v, want all and %v", all(got), err, failed)
	}
}

// TestSequence wants the same sequence of the same seed, and all kinds of requests.
func TestSequence(t *testing.T) {
	equal := cmp.AllowUnexported(request{}, instance{})
	first := sequence(5, 2*length)
	if diff := cmp.Diff(first, sequence(5, 2*length), equal); diff != "" {
		t.Errorf("sequence(5) is another one the second time:\n%s", diff)
	}
	if cmp.Equal(first, sequence(6, 2*length), equal) {
		t.Error("sequence(6) is that of seed 5")
	}
	kinds := map[string]bool{}
	for _, r := range first {
		kind, _, _ := strings.Cut(r.name, " ")
		kinds[kind] = true
	}
	want := map[string]bool{"register": true, "heartbeat": true, "override": true, "remove": true, "metadata": true, "cancel": true, "batch": true, "hostile": true, "odd": true, "read": true}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("kinds of requests (-want +got):\n%s", diff)
	}
}

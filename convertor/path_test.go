package convertor_test

import (
	"testing"

	"github.com/eurekube/eurekube/convertor"
)

// TestPathsThatNoURLHas gives each path to the three names that take one: what is
// listed is as if it were not there, and each says so once.
func TestPathsThatNoURLHas(t *testing.T) {
	tests := []struct {
		name, path string
		bad        bool
	}{
		{name: "several segments", path: "/api/v1.2/~team/a-b_c"},
		{name: "percent-encoded", path: "/my%20shop"},
		{name: "letters outside ASCII", path: "/größe"},
		{name: "what a path may hold", path: "/a;b=c,d/@e:f!$&'()*+g"},
		{name: "space", path: "/my shop", bad: true},
		{name: "no-break space", path: "/my\u00a0shop", bad: true},
		{name: "tab", path: "/my\tshop", bad: true},
		{name: "line feed", path: "/my\nshop", bad: true},
		{name: "DEL", path: "/my\x7fshop", bad: true},
		{name: "no UTF-8", path: "/my\xffshop", bad: true},
		{name: "query", path: "/shop?x=1", bad: true},
		{name: "empty query", path: "/shop?", bad: true},
		{name: "fragment", path: "/shop#top", bad: true},
		{name: "empty fragment", path: "/shop#", bad: true},
		{name: "half an escape", path: "/100%", bad: true},
		{name: "no escape", path: "/%zz", bad: true},
		{name: "template", path: "/{tenant}", bad: true},
		{name: "backslash", path: `\shop\x`, bad: true},
	}
	names := []string{"context-path", "health-path", "status-path"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pod := newPod("orders-abc", "10.0.0.5", "orders", without("eurekube.io/management-port"))
			plain := listed(t, pod, defaultRules)
			for _, name := range names {
				annotation("eurekube.io/"+name, tt.path)(pod)
			}
			inst, warnings, err := convertor.Convert(pod, defaultRules)
			if err != nil {
				t.Fatal(err)
			}
			if tt.bad {
				const bad = convertor.WarningBadPath
				equal(t, "warnings", reasonsOf(warnings), []convertor.WarningReason{bad, bad, bad})
				equal(t, "instance", inst, plain)
				return
			}
			equal(t, "warnings", reasonsOf(warnings), []convertor.WarningReason(nil))
			equal(t, "context path", inst.Metadata["context-path"], tt.path)
			equal(t, "URLs", []string{inst.HomePageURL, inst.HealthCheckURL, inst.StatusPageURL},
				[]string{"http://10.0.0.5:8080" + tt.path + "/", "http://10.0.0.5:8080" + tt.path + tt.path, "http://10.0.0.5:8080" + tt.path + tt.path})
		})
	}
}

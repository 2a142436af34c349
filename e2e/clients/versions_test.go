package clients

import (
	"os"
	"strings"
	"testing"
)

// What docs/compatibility.md says was tested is what was installed.
func TestVersions_AreThosePinned(t *testing.T) {
	versions := map[string]string{}
	for _, c := range clients {
		versions[c.name] = c.version
	}
	for _, pin := range []struct{ client, file, before, after string }{
		{client: "node", file: "node/package.json", before: `"eureka-js-client": "`, after: `"`},
		{client: "node-deltas", file: "node/package.json", before: `"eureka-js-client": "`, after: `"`},
		{client: "python", file: "python/requirements.txt", before: "py_eureka_client==", after: "\n"},
		{client: "fargo-xml", file: "go/go.mod", before: "github.com/hudl/fargo ", after: "\n"},
		{client: "fargo-json", file: "go/go.mod", before: "github.com/hudl/fargo ", after: "\n"},
		{client: "prometheus", file: "go/go.mod", before: "github.com/prometheus/prometheus ", after: "\n"},
	} {
		content, err := os.ReadFile(pin.file)
		if err != nil {
			t.Fatal(err)
		}
		if want := pin.before + versions[pin.client] + pin.after; !strings.Contains(string(content), want) {
			t.Errorf("%s is said to be %q, but %s has no %q", pin.client, versions[pin.client], pin.file, want)
		}
	}
}

package clients

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// pins are where the version of a client or of a peer is decided: in the file,
// between two texts.
var pins = []struct{ client, file, before, after string }{
	{"spring-boot-4-restclient", "spring-boot-4/pom.xml", springBootPin, "<"},
	{"spring-boot-4-restclient", "spring-boot-4/pom.xml", springCloudPin, "<"},
	{"spring-boot-3-restclient", "spring-boot-3/pom.xml", springBootPin, "<"},
	{"spring-boot-3-restclient", "spring-boot-3/pom.xml", springCloudPin, "<"},
	{"netflix-1.6", "netflix/1.6/pom.xml", netflixPin, "<"},
	{"netflix-1.10", "netflix/1.10/pom.xml", netflixPin, "<"},
	{"netflix-2.0", "netflix/2.0/pom.xml", netflixPin, "<"},
	{"node", "node/package.json", `"eureka-js-client": "`, `"`},
	{"node-deltas", "node/package.json", `"eureka-js-client": "`, `"`},
	{"python", "python/requirements.txt", "py_eureka_client==", "\n"},
	{"fargo-xml", "go/go.mod", "github.com/hudl/fargo ", "\n"},
	{"fargo-json", "go/go.mod", "github.com/hudl/fargo ", "\n"},
	{"prometheus", "go/go.mod", "github.com/prometheus/prometheus ", "\n"},
	{"server-boot-3", "../springserver/server-boot-3/pom.xml", springBootPin, "<"},
	{"server-boot-3", "../springserver/server-boot-3/pom.xml", springCloudPin, "<"},
	{"server-boot-4", "../springserver/server-boot-4/pom.xml", springBootPin, "<"},
	{"server-boot-4", "../springserver/server-boot-4/pom.xml", springCloudPin, "<"},
}

const (
	springBootPin  = "<artifactId>spring-boot-starter-parent</artifactId>\n    <version>"
	springCloudPin = "<spring-cloud.version>"
	netflixPin     = "\n      <version>"
)

// What docs/compatibility.md says was tested is what was installed.
func TestVersions_AreThosePinned(t *testing.T) {
	versions := map[string]string{}
	for _, c := range clients {
		versions[c.name] = c.version
	}
	for _, p := range peers {
		versions[string(p.release)] = p.version
	}
	for _, pin := range pins {
		content, err := os.ReadFile(pin.file)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, found := strings.Cut(string(content), pin.before)
		pinned, _, _ := strings.Cut(rest, pin.after)
		if !found || pinned == "" {
			t.Errorf("%s pins nothing after %q", pin.file, pin.before)
			continue
		}
		if !slices.Contains(strings.FieldsFunc(versions[pin.client], betweenWords), pinned) {
			t.Errorf("%s is said to be %q, but %s pins %s", pin.client, versions[pin.client], pin.file, pinned)
		}
	}
}

// betweenWords reports whether a character is none of a word.
func betweenWords(r rune) bool { return r == ' ' || r == ',' }

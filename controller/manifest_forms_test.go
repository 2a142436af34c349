package controller_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/controller"
)

func replaceOnce(t *testing.T, text, old, replacement string) string {
	t.Helper()
	if strings.Count(text, old) != 1 {
		t.Fatalf("%q is %d times in %q, want once", old, strings.Count(text, old), text)
	}
	return strings.Replace(text, old, replacement, 1)
}

// manifest is a pod with that name and what else is written of it.
func manifest(name, more string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\n" + more
}

const (
	labelled = "  labels: {eurekube.io/service: web, eurekube.io/port: \"80\"}\n"
	atOne    = "status: {podIP: 10.1.0.1}\n"
	atTwo    = "status: {podIP: 10.1.0.2}\n"
)

// formsOfManifests is a directory of manifests and what becomes of it, by name.
type formsOfManifests map[string]struct {
	files      map[string]string
	namespaces []string
	listed     []string
	states     []string
	// problems are words of one log line each.
	problems [][]string
}

func (tests formsOfManifests) run(t *testing.T) {
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				dir := t.TempDir()
				for file, content := range tt.files {
					write(t, filepath.Join(dir, file), content)
				}
				r.run(t, func(c *controller.Config) { c.Client, c.Manifests, c.Namespaces = nil, dir, tt.namespaces })
				r.wantSynced(t, true)
				r.wantListed(t, tt.listed...)
				r.wantStates(t, tt.states...)
				for _, words := range tt.problems {
					r.wantLogged(t, 1, append(words, "Manifest has a problem")...)
				}
				wantErrors(t, r, float64(len(tt.problems)))
			})
		})
	}
}

func TestManifests_Documents(t *testing.T) {
	formsOfManifests{
		"several documents": {
			files:  map[string]string{"a.yml": "# pods\n---\n" + manifest("a", labelled+atOne) + "--- # next\n" + manifest("b", labelled+atTwo) + "...\n---\n# nothing\n"},
			listed: []string{"10.1.0.1:web:80 UP", "10.1.0.2:web:80 UP"},
			states: []string{"default/a listed", "default/b listed"},
		},
		"a List as kubectl writes it": {
			files: map[string]string{"a.json": `{"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": [
				{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "shop", "labels": {"eurekube.io/service": "web", "eurekube.io/port": "80"}}, "status": {"podIP": "10.1.0.1"}},
				{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}}]}`},
			listed:   []string{"10.1.0.1:web:80 UP"},
			states:   []string{"shop/a listed"},
			problems: [][]string{{`a.json"`, "document=1", "Service"}},
		},
		"a PodList, whose items name no kind": {
			files:  map[string]string{"a.yaml": "apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: a, labels: {eurekube.io/service: web, eurekube.io/port: \"80\"}}\n  " + atOne},
			listed: []string{"10.1.0.1:web:80 UP"},
			states: []string{"default/a listed"},
		},
		"several JSON values": {
			files: map[string]string{"a.json": `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"eurekube.io/service":"web","eurekube.io/port":"80"}},"status":{"podIP":"10.1.0.1"}}
				{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","labels":{"eurekube.io/service":"web","eurekube.io/port":"80"}},"status":{"podIP":"10.1.0.2"}}`},
			listed: []string{"10.1.0.1:web:80 UP", "10.1.0.2:web:80 UP"},
			states: []string{"default/a listed", "default/b listed"},
		},
		"JSON that ends early": {
			files:    map[string]string{"a.json": "{\n\"apiVersion\": \"v1\",\n"},
			problems: [][]string{{`a.json"`, "document=1", "line 3"}},
		},
		"nothing": {
			files:    map[string]string{"a.yaml": "null\n", "b.yaml": "", "c.json": "", "d.json": "null"},
			problems: [][]string{{`a.yaml"`, "the document is no object"}, {`d.json"`, "the document is no object"}},
		},
		"no object": {
			files: map[string]string{"a.yaml": "just text\n", "b.yaml": "- a\n- b\n", "c.json": "7", "d.yaml": "apiVersion: v1\nkind: List\nitems: [text]\n"},
			problems: [][]string{
				{`err="the document is no object; a Pod begins with apiVersion: v1 and kind: Pod"`, `a.yaml"`, "document=1", "nothing of this file is served"},
				{"the document is no object", `b.yaml"`}, {"the document is no object", `c.json"`}, {"item 1: no object", `d.yaml"`},
			},
		},
		"another kind": {
			files:    map[string]string{"a.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n---\n" + manifest("a", labelled+atOne)},
			listed:   []string{"10.1.0.1:web:80 UP"},
			states:   []string{"default/a listed"},
			problems: [][]string{{`a.yaml"`, "document=1", "Deployment of apps/v1", "skipped"}},
		},
		"no kind": {
			files:    map[string]string{"a.yaml": "replicas: 2\n"},
			problems: [][]string{{`a.yaml"`, "document=1", "apiVersion or kind is missing"}},
		},
		"the same pod in several files": {
			files: map[string]string{"d.yaml": manifest("a", labelled+atTwo), "c.yaml": manifest("a", labelled+atTwo),
				"b.yaml": manifest("a", labelled+atTwo), "a.yaml": manifest("a", labelled+atOne)},
			listed: []string{"10.1.0.1:web:80 UP"},
			states: []string{"default/a listed"},
			problems: [][]string{
				{`b.yaml"`, "document=1", "pod default/a is in a.yaml already"},
				{`c.yaml"`, "document=1", "pod default/a is in a.yaml already"},
				{`d.yaml"`, "document=1", "pod default/a is in a.yaml already"},
			},
		},
		"files of others": {
			files: map[string]string{"README.md": "words", ".a.yaml": manifest("a", labelled+atOne), "sub.yaml/b.yaml": manifest("b", labelled+atTwo)},
		},
	}.run(t)
}

func TestManifests_Addresses(t *testing.T) {
	formsOfManifests{
		"no address": {
			files:    map[string]string{"a.yaml": manifest("a", labelled)},
			states:   []string{"default/a no-ip"},
			problems: [][]string{{`a.yaml"`, "document=1", "advertise-host"}},
		},
		"an advertised address": {
			files:  map[string]string{"a.yaml": manifest("a", labelled+"  annotations: {eurekube.io/advertise-host: 192.0.2.7}\n")},
			listed: []string{"192.0.2.7:web:80 UP"},
			states: []string{"default/a listed"},
		},
		"an advertised IPv6 address": {
			files:  map[string]string{"a.yaml": manifest("a", labelled+"  annotations: {eurekube.io/advertise-host: \"[2001:db8::7]\"}\n")},
			listed: []string{"2001:db8::7:web:80 UP"},
			states: []string{"default/a listed"},
		},
		"an advertised name": {
			files:  map[string]string{"a.yaml": manifest("a", labelled+"  annotations: {eurekube.io/advertise-host: db.example.com}\n")},
			listed: []string{"db.example.com:web:80 UP"},
			states: []string{"default/a listed"},
		},
		"an advertised host that is none": {
			files:    map[string]string{"a.yaml": manifest("a", labelled+"  annotations: {eurekube.io/advertise-host: \"http://db\"}\n")},
			states:   []string{"default/a no-ip"},
			problems: [][]string{{`a.yaml"`, "advertise-host"}},
		},
		"an address that nobody can call": {
			files:    map[string]string{"a.yaml": manifest("a", labelled+"status: {podIP: \"my host\\n/x\"}\n")},
			states:   []string{"default/a no-ip"},
			problems: [][]string{{`a.yaml"`, "document=1", `status.podIP \"my host\\n/x\"`, "neither an IP nor a host name"}, {`a.yaml"`, "neither status.podIP nor"}},
		},
		"numbers that are no address": {
			files:    map[string]string{"a.yaml": manifest("a", labelled+"status: {podIP: 999.1.1.1}\n"), "b.yaml": manifest("b", "  annotations: {eurekube.io/advertise-host: db.1}\n"+labelled)},
			states:   []string{"default/a no-ip", "default/b no-ip"},
			problems: [][]string{{`a.yaml"`, `status.podIP \"999.1.1.1\" of pod a is neither an IP nor a host name`}, {`a.yaml"`, "neither status.podIP nor"}, {`b.yaml"`, "advertise-host that is a host"}},
		},
		"an address that nobody can call beside one that can be": {
			files: map[string]string{"a.yaml": manifest("a", labelled+"status: {podIP: 10.1.0.1/24, podIPs: [{ip: 10.1.0.1/24}, {ip: \"fd00::1\"}]}\n") + "---\n" +
				manifest("b", labelled+"  annotations: {eurekube.io/advertise-host: db.example.com}\nstatus: {podIP: \"http://db\"}\n")},
			listed:   []string{"db.example.com:web:80 UP", "fd00::1:web:80 UP"},
			states:   []string{"default/a listed", "default/b listed"},
			problems: [][]string{{"status.podIP ", "10.1.0.1/24"}, {"status.podIPs ", "10.1.0.1/24"}, {"document=2", "http://db"}},
		},
		"an address that is a name": {
			files:  map[string]string{"a.yaml": manifest("a", labelled+"status: {podIP: DB1.example.com}\n")},
			listed: []string{"DB1.example.com:web:80 UP"},
			states: []string{"default/a listed"},
		},
	}.run(t)
}

func TestManifests_Fields(t *testing.T) {
	formsOfManifests{
		"a field that no pod has": {
			files:    map[string]string{"a.yaml": manifest("a", "  lables: {}\n"+labelled+atOne)},
			listed:   []string{"10.1.0.1:web:80 UP"},
			states:   []string{"default/a listed"},
			problems: [][]string{{`a.yaml"`, "document=1", "metadata.lables", "taken all the same"}},
		},
		"a label that is a number": {
			files:    map[string]string{"a.yaml": manifest("a", "  labels: {eurekube.io/service: web, eurekube.io/port: 80}\n"+atOne)},
			problems: [][]string{{`a.yaml"`, "document=1", "metadata.labels: the value of eurekube.io/port is a number, quote it", "nothing of this file is served"}},
		},
		"annotations without quotes in a list": {
			files: map[string]string{"a.yaml": "apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: ok, labels: {eurekube.io/service: web}}\n  " + atOne +
				"- metadata: {name: a, annotations: {f: 1, e: yes, d: [x], c: 2, b: 3, a: 4.5, z: ~}}\n"},
			problems: [][]string{{`err="items[1].metadata.annotations: the value of a is a number, quote it; `, "the value of d is a list or an object,",
				"the value of e is true or false,", `; and 1 more"`}},
		},
		"an item without quotes in a list of any kind": {
			files:    map[string]string{"a.yaml": "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(manifest("a", "  annotations: {eurekube.io/port: 80}\n"), "\n", "\n  ")},
			problems: [][]string{{"item 1: metadata.annotations: the value of eurekube.io/port is a number, quote it"}},
		},
		"a port in quotes": {
			files:    map[string]string{"a.yaml": manifest("a", labelled+atOne+"spec: {containers: [{name: a, ports: [{containerPort: \"80\"}]}]}\n")},
			problems: [][]string{{`err="spec.containers.ports.containerPort is text where a number belongs"`, "nothing of this file is served"}},
		},
		"values of another kind": {
			files: map[string]string{
				"a.yaml": "apiVersion: v1\nkind: Pod\nspec: text\n", "b.yaml": "apiVersion: v1\nkind: Pod\nspec: {hostNetwork: [x]}\n",
				"e.yaml": "apiVersion: v1\nkind: Pod\nspec: {priority: 1.5}\n", "f.yaml": "apiVersion: v1\nkind: Pod\nspec: {priority: 9999999999}\n",
				"c.yaml": "apiVersion: v1\nkind: PodList\nitems: {}\n", "d.yaml": "apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Pod, status: {podIP: 1.5}}]\n",
			},
			problems: [][]string{
				{`err="spec is text where an object belongs"`}, {`err="spec.hostNetwork is a list where true or false belongs"`},
				{`err="items is an object where a list belongs"`}, {`err="item 1: status.podIP is a number where text belongs"`},
				{`err="spec.priority is 1.5, which is not whole or too large"`}, {`err="spec.priority is 9999999999, which is not whole or too large"`},
			},
		},
		"a key that comes twice": {
			files:    map[string]string{"a.yaml": "# one\n---\n" + manifest("a", labelled+"status: {podIP: 10.1.0.9}\n"+atOne)},
			listed:   []string{"10.1.0.1:web:80 UP"},
			states:   []string{"default/a listed"},
			problems: [][]string{{`a.yaml"`, "document=1", "line 9", "status", "taken all the same"}},
		},
	}.run(t)
}

func TestManifests_Pods(t *testing.T) {
	formsOfManifests{
		"no label": {
			files:    map[string]string{"a.yaml": manifest("a", atOne)},
			problems: [][]string{{`a.yaml"`, "no label service of eurekube.io or choerodon.io"}},
		},
		"no name": {
			files:    map[string]string{"a.yaml": manifest("", labelled+atOne) + "---\n" + manifest("b", labelled+atTwo)},
			listed:   []string{"10.1.0.2:web:80 UP"},
			states:   []string{"default/b listed"},
			problems: [][]string{{`a.yaml"`, "document=1", "metadata.name"}},
		},
		"a name that no pod can have": {
			files:    map[string]string{"a.yaml": manifest("a/b", labelled+atOne)},
			problems: [][]string{{`a.yaml"`, "metadata.name", "a/b"}},
		},
		"a namespace that cannot be": {
			files:    map[string]string{"a.yaml": manifest("a", "  namespace: x/y\n"+labelled+atOne)},
			problems: [][]string{{`a.yaml"`, "metadata.namespace", "x/y"}},
		},
		"a namespace that is not watched": {
			namespaces: []string{"shop"},
			files:      map[string]string{"a.yaml": manifest("a", "  namespace: shop\n"+labelled+atOne) + "---\n" + manifest("b", labelled+atTwo)},
			listed:     []string{"10.1.0.1:web:80 UP"},
			states:     []string{"shop/a listed"},
			problems:   [][]string{{`a.yaml"`, "document=2", "namespace default"}},
		},
		"a pod that ended": {
			files:  map[string]string{"a.yaml": manifest("a", labelled+"status: {podIP: 10.1.0.1, phase: Succeeded}\n")},
			states: []string{"default/a finished"},
		},
		"two prefixes": {
			files:  map[string]string{"a.yaml": manifest("a", "  labels: {choerodon.io/service: web, choerodon.io/version: \"1\", choerodon.io/metrics-port: \"81\", eurekube.io/service: web, eurekube.io/port: \"80\"}\n"+atOne)},
			listed: []string{"10.1.0.1:web:80 UP"},
			states: []string{"default/a listed"},
		},
	}.run(t)
}

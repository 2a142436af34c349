package charttest

import (
	"bytes"
	"fmt"
	"testing"

	"sigs.k8s.io/yaml"
)

const manifestsHead = `# Rendered from the chart: do not edit. Change charts/eurekube, then run
# "make deploy-manifests".
`

func TestManifestsAreCurrent(t *testing.T) {
	out, err := helm(t, "", "template", "eurekube", chart, "--namespace=eurekube", "--set=test.enabled=false")
	if err != nil {
		t.Fatalf("helm template: %v", err)
	}
	current(t, "../../deploy/kubernetes/eurekube.yaml", plain(t, parse(t, out)))
}

// plain writes objects without the labels by which Helm knows its own: nothing
// of Helm's manages them.
func plain(t *testing.T, all objects) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(manifestsHead)
	for _, object := range all {
		labels := object.GetLabels()
		delete(labels, "helm.sh/chart")
		delete(labels, "app.kubernetes.io/managed-by")
		object.SetLabels(labels)
		text, err := yaml.Marshal(object.Object)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "---\n%s", text)
	}
	return b.Bytes()
}

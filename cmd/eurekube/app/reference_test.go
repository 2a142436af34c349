package app

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/eurekube/eurekube/internal/reference"
	"github.com/eurekube/eurekube/internal/telemetry"
)

var update = flag.Bool("update", false, "rewrite the generated documents")

const updateDocuments = "go test ./cmd/eurekube/app -run Document -update"

func TestFlagsDocument(t *testing.T) {
	program, logging := flagSections()
	var document bytes.Buffer
	fmt.Fprintf(&document, `# Flags of eurekube serve

<!-- Written by %q. -->

A flag wins over its variable. A variable that is set to nothing counts as not set; one that begins with
%s and belongs to no flag is a mistake, except those that Kubernetes sets for Services. Lists are
separated by commas, and their flags may be repeated. %s, Choerodon's variable, stands in for
%s. All mistakes are reported at once, with exit code 2.

The API server is the one of %[5]s, %[6]s and %[7]s; else that of the variable %[8]s, a list of files as kubectl
reads it; else that of the cluster which the program runs in with a service account. %[6]s and %[7]s alone go by the files of
%[8]s, or by %[9]s. With %[10]s, %[8]s alone does not count: set for kubectl, it would drag a
cluster into a run on manifests.

`, updateDocuments, "`"+variablePrefix+"`", "`"+choerodonNamespaces+"`", "`"+Variable("namespaces")+"`",
		"`--kubeconfig`", "`--context`", "`--master`", "`KUBECONFIG`", "`~/.kube/config`", "`--manifests`")
	if err := reference.Flags(&document, program, Variable); err != nil {
		t.Fatal(err)
	}
	document.WriteString("\n## Log\n\n")
	if err := reference.Flags(&document, logging, Variable); err != nil {
		t.Fatal(err)
	}
	if err := reference.Check("../../../docs/flags.md", document.Bytes(), *update, updateDocuments); err != nil {
		t.Error(err)
	}
}

func TestMetricsDocument(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	o := parse(t, []string{"--kubeconfig", file, "--manifests", t.TempDir(), "--bridge", "callback", "--webhook", "http://hooks.example"}, nil)
	src, err := o.connect()
	if err != nil {
		t.Fatal(err)
	}
	var collectors reference.Collectors
	collectors.MustRegister(telemetry.NewRegistry())
	if _, err := newParts(o, src, &collectors); err != nil {
		t.Fatal(err)
	}
	var document bytes.Buffer
	fmt.Fprintf(&document, `# Metrics

<!-- Written by %q. -->

On /metrics of the admin port, beside those of the Go runtime and of the process. Those of the API
server and of namespaces are there when pods come from an API server, those of manifests with %s,
those of the callback bridge with %s, those of webhooks with %s.

`, updateDocuments, "`--manifests`", "`--bridge callback`", "`--webhook` or `--webhook-file`")
	if err := reference.Metrics(&document, &collectors, "eurekube_"); err != nil {
		t.Fatal(err)
	}
	if err := reference.Check("../../../docs/metrics.md", document.Bytes(), *update, updateDocuments); err != nil {
		t.Error(err)
	}
}

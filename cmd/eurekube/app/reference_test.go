package app

import (
	"bytes"
	"flag"
	"fmt"
	"testing"

	"github.com/eurekube/eurekube/internal/reference"
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

`, updateDocuments, "`"+variablePrefix+"`", "`"+choerodonNamespaces+"`", "`"+Variable("namespaces")+"`")
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

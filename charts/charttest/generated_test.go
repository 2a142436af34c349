package charttest

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the generated files anew instead of comparing them")

// current fails when the file does not hold want; with -update it writes it.
func current(t *testing.T, file string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is out of date (-want +got):\n%s\nwrite it anew with: go test -run '^%s$' -update", file, diff, t.Name())
	}
}

func TestReadmeIsCurrent(t *testing.T) {
	docs, err := tool("helm-docs")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(docs, "--chart-search-root="+chart, "--dry-run", "--sort-values-order=file")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("helm-docs: %v", withStderr(err))
	}
	rows := 0
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Key ") {
			continue
		}
		rows++
		if strings.HasSuffix(strings.TrimSpace(line), "|  |") {
			t.Errorf("values.yaml does not say what a value is for: %s", line)
		}
	}
	if rows == 0 {
		t.Fatalf("helm-docs wrote no table of values: %q", out)
	}
	current(t, filepath.Join(chart, "README.md"), append(bytes.TrimSpace(out), '\n'))
}

package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/eurekube/eurekube"

// pkg is one package of the module, as the go command lists it.
type pkg struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string // of the files above, not of tests
}

// path is relative to the module; its root is ".".
func (p pkg) path() string { return relative(p.ImportPath) }

func relative(importPath string) string {
	if importPath == module {
		return "."
	}
	return strings.TrimPrefix(importPath, module+"/")
}

// ours reports whether an import is of this module.
func ours(importPath string) bool {
	return importPath == module || strings.HasPrefix(importPath, module+"/")
}

// packages lists the module's packages. Modules in folders of their own, such as
// e2e and bench, are not among them.
func packages(t *testing.T) []pkg {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Dir,GoFiles,Imports", module+"/...")
	var problems strings.Builder
	list.Stderr = &problems
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, problems.String())
	}
	var all []pkg
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		t.Fatal("go list found no package")
	}
	return all
}

// within reports whether path is one of the roots or below one of them.
func within(path string, roots ...string) bool {
	for _, root := range roots {
		if path == root || strings.HasPrefix(path, root+"/") {
			return true
		}
	}
	return false
}

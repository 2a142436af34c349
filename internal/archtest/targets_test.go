package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The packages of e2e are named one by one, since some of them need Java and some do
// not: one that is forgotten is tested by nobody.
func TestEveryPackageOfE2EIsInATarget(t *testing.T) {
	words := strings.Fields(makefile(t))
	tests := found(t, filepath.Join(root, "e2e"), regexp.MustCompile(`_test\.go$`))
	for _, dir := range tests {
		if !slices.Contains(words, "./"+dir) {
			t.Errorf("no target of the Makefile runs the tests of e2e/%s", dir)
		}
	}
	if len(tests) == 0 {
		t.Error("e2e has no tests")
	}
}

func TestEveryModuleIsVetted(t *testing.T) {
	_, line, _ := strings.Cut(makefile(t), "\nMODULES := ")
	line, _, _ = strings.Cut(line, "\n")
	listed := strings.Fields(line)
	slices.Sort(listed)
	if modules := found(t, root, regexp.MustCompile(`^go\.mod$`)); !slices.Equal(listed, modules) {
		t.Errorf("MODULES of the Makefile are %q, want %q", listed, modules)
	}
}

func makefile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// found returns the folders below top, relative to it and sorted, that have a file
// of such a name.
func found(t *testing.T, top string, name *regexp.Regexp) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != top && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir // .git and caches
		case entry.IsDir() || !name.MatchString(entry.Name()):
			return nil
		}
		dir, err := filepath.Rel(top, filepath.Dir(path))
		dirs = append(dirs, filepath.ToSlash(dir))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

package binaries

import (
	"os"
	"path/filepath"
	"testing"
)

func TestHashOf_TellsStatesApart(t *testing.T) {
	type files map[string]string
	seen := map[string]string{}
	for _, state := range []struct {
		name  string
		files files
	}{
		{name: "two files", files: files{"a": "one", "dir/b": "two"}},
		{name: "other content", files: files{"a": "one", "dir/b": "TWO"}},
		{name: "other name", files: files{"a": "one", "dir/c": "two"}},
		{name: "content moved", files: files{"a": "onetwo", "dir/b": ""}},
		{name: "one more", files: files{"a": "one", "dir/b": "two", "dir/c": ""}},
	} {
		root := t.TempDir()
		for path, content := range state.files {
			path = filepath.Join(root, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		first, err := hashOf(root, "a", "dir")
		if err != nil {
			t.Fatal(err)
		}
		second, err := hashOf(root, "a", "dir")
		if err != nil || first != second {
			t.Errorf("%s: hashOf() = %s and then %s, %v", state.name, first, second, err)
		}
		if other, ok := seen[first]; ok {
			t.Errorf("hashOf() of %s equals that of %s", state.name, other)
		}
		seen[first] = state.name
	}
}

func TestHashOf_ReportsAMissingFile(t *testing.T) {
	if _, err := hashOf(t.TempDir(), "go.mod"); err == nil {
		t.Error("hashOf() of a missing file gave no error")
	}
}

package binaries

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestInstalled(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	const project = "devcluster/stages" // any directory does
	broken := errors.New("no network")
	installs := 0
	for _, step := range []struct {
		name    string
		version string
		fails   bool
		want    int // installations so far
	}{
		{name: "at first", want: 1},
		{name: "again", want: 1},
		{name: "for another version", version: "2", want: 2},
		{name: "not as it should", version: "3", fails: true, want: 3},
		{name: "after it failed", version: "3", want: 4},
	} {
		dir, err := installed(t.Context(), project, step.version, func(dir string) error {
			installs++
			if step.fails {
				return broken
			}
			return os.WriteFile(filepath.Join(dir, "installed"), nil, 0o600)
		})
		if step.fails != errors.Is(err, broken) || installs != step.want {
			t.Errorf("%s: installed() = %v after %d installations, want %d", step.name, err, installs, step.want)
		}
		if step.fails {
			continue
		}
		for _, name := range []string{"installed", "pod-delete.yaml"} {
			if !exists(filepath.Join(dir, name)) {
				t.Errorf("%s: %s has no %s", step.name, dir, name)
			}
		}
	}
}

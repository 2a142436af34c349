package controller_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Directories of manifests hold what people put there. None of it may keep the
// program from serving the others or from ending, which each bubble checks.
func TestManifests_OnlyRegularFilesOfBoundedSizeAreRead(t *testing.T) {
	tests := map[string]struct {
		put  func(path string) error
		says []string
	}{
		"a pipe nobody writes to": {
			put:  func(path string) error { return syscall.Mkfifo(path, 0o644) },
			says: []string{"no regular file"},
		},
		"a link to a pipe": {
			put: func(path string) error {
				if err := syscall.Mkfifo(path+".pipe", 0o644); err != nil {
					return err
				}
				return os.Symlink(path+".pipe", path)
			},
			says: []string{"no regular file"},
		},
		"a link to a device without end": {
			put:  func(path string) error { return os.Symlink("/dev/zero", path) },
			says: []string{"no regular file"},
		},
		"a huge file": {
			put: func(path string) error {
				if err := os.WriteFile(path, nil, 0o644); err != nil {
					return err
				}
				return os.Truncate(path, 1<<40)
			},
			says: []string{"larger than 16 MiB"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				dir := t.TempDir()
				write(t, filepath.Join(dir, "good.yaml"), webManifest)
				if err := tt.put(filepath.Join(dir, "odd.yaml")); err != nil {
					t.Fatal(err)
				}
				r.run(t, fromManifests(dir))
				r.wantSynced(t, true)
				r.wantListed(t, "10.1.0.1:web:80 UP")
				r.wantLogged(t, 1, append(tt.says, "Manifest has a problem", `odd.yaml"`)...)
				wantErrors(t, r, 1)
			})
		})
	}
}

// Sixteen MiB are a file's to the last byte.
func TestManifests_TheLargestFile(t *testing.T) {
	const limit = 16 << 20
	comment := strings.Repeat("#", limit-len(webManifest)-1) + "\n"
	inBubble(t, func(t *testing.T, r *rig) {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "a.yaml"), webManifest+comment)
		r.run(t, fromManifests(dir))
		r.wantListed(t, "10.1.0.1:web:80 UP")
		write(t, filepath.Join(dir, "a.yaml"), replaceOnce(t, webManifest, "10.1.0.1", "10.1.0.2")+comment+"#")
		time.Sleep(within)
		r.wantListed(t, "10.1.0.1:web:80 UP")
		wantErrors(t, r, 1)
	})
}

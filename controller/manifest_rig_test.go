package controller_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/eurekube/eurekube/controller"
)

// within is how soon a change of a file must be seen.
const within = time.Second

const webManifest = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {eurekube.io/service: web, eurekube.io/port: "80"}
status:
  podIP: 10.1.0.1
`

// write writes a file with the bubble's time, so that no test depends on how
// fine the file system's clock is.
func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// fromManifests reads a directory and no API server.
func fromManifests(directory string) func(*controller.Config) {
	return func(c *controller.Config) { c.Client, c.Manifests = nil, directory }
}

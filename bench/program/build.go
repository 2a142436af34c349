package program

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
)

// Build builds eurekube as its Makefile does into dir and returns its path. The
// module that runs now must be the bench module, or in a folder of it.
func Build(ctx context.Context, dir string) (path string, err error) {
	path = filepath.Join(dir, "eurekube")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", path, "github.com/eurekube/eurekube/cmd/eurekube")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build eurekube: %w\n%s", err, out)
	}
	return path, nil
}

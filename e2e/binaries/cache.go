package binaries

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// moduleDir is the directory of the e2e module, wherever inside it the caller
// runs.
func moduleDir(ctx context.Context) (string, error) {
	output, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("find the e2e module: %w", err)
	}
	return filepath.Dir(string(bytes.TrimSpace(output))), nil
}

// open returns the module's directory and the cache. What tool builds there belongs to
// the caller until unlock: test programs of two packages must not build the same thing
// at once, and those that want a jar need not wait a quarter of an hour for a control
// plane.
func open(ctx context.Context, tool string) (module, cache string, unlock func(), err error) {
	module, err = moduleDir(ctx)
	if err != nil {
		return "", "", nil, err
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", "", nil, fmt.Errorf("find a directory for built programs: %w", err)
	}
	cache = filepath.Join(user, "eurekube-e2e")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", "", nil, err
	}
	lock, err := os.Create(filepath.Join(cache, "lock-"+tool))
	if err != nil {
		return "", "", nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", "", nil, fmt.Errorf("lock %s: %w", cache, err)
	}
	return module, cache, func() { lock.Close() }, nil
}

// hashOf names a state of files and directories under root. A link of the
// control plane takes 20 seconds even when nothing has changed, so a program
// built from the same state is used again. Tests are no part of it.
func hashOf(root string, names ...string) (string, error) {
	hash := sha256.New()
	for _, name := range names {
		err := fs.WalkDir(os.DirFS(root), name, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			content, err := os.ReadFile(filepath.Join(root, path))
			if err != nil {
				return err
			}
			fmt.Fprintf(hash, "%s %d\n%s", path, len(content), content)
			return nil
		})
		if err != nil {
			return "", fmt.Errorf("hash the sources of devcluster: %w", err)
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:8]), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

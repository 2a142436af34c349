package binaries

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
)

// Eurekube is Build for the product's program alone.
func Eurekube(ctx context.Context) (string, error) {
	module, cache, unlock, err := open(ctx, "go")
	if err != nil {
		return "", err
	}
	defer unlock()
	return buildEurekube(ctx, module, cache)
}

// buildEurekube always asks the go command, which knows what has changed. Each
// checkout has a program of its own: tests of two may run at once.
func buildEurekube(ctx context.Context, module, cache string) (string, error) {
	root := filepath.Dir(module)
	sum := sha256.Sum256([]byte(root))
	path := filepath.Join(cache, fmt.Sprintf("eurekube-%x", sum[:8]))
	return path, run(ctx, root, nil, "go", "build", "-o", path, "./cmd/eurekube")
}

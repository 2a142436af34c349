package binaries

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
)

// GoClient returns the program name of the module clients/go, such as "fargo". Like
// eurekube, it is left to the go command whether it has to be built.
func GoClient(ctx context.Context, name string) (string, error) {
	module, cache, unlock, err := open(ctx, "go")
	if err != nil {
		return "", err
	}
	defer unlock()
	sum := sha256.Sum256([]byte(module))
	path := filepath.Join(cache, fmt.Sprintf("%s-%x", name, sum[:8]))
	return path, run(ctx, filepath.Join(module, "clients", "go"), nil, "go", "build", "-o", path, "./"+name)
}

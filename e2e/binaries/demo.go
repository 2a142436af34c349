package binaries

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
)

// Demo builds the program in the folder name of deploy/demo and returns its path.
func Demo(ctx context.Context, name string) (string, error) {
	module, cache, unlock, err := open(ctx, "go")
	if err != nil {
		return "", err
	}
	defer unlock()
	root := filepath.Dir(module)
	sum := sha256.Sum256([]byte(root))
	path := filepath.Join(cache, fmt.Sprintf("demo-%s-%x", name, sum[:8]))
	return path, run(ctx, root, nil, "go", "build", "-o", path, "./deploy/demo/"+name)
}

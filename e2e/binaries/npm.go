package binaries

import (
	"context"
	"os"
	"path/filepath"
)

// NodeProject returns a copy of the Node project in the directory project of the
// e2e module, such as "clients/node", with what its package-lock.json names
// installed beside it. It needs the npm command and, the first time, what the npm
// registry serves. The copy is used again as long as nothing in the project changes.
func NodeProject(ctx context.Context, project string) (dir string, err error) {
	return installed(ctx, project, "", func(dir string) error {
		return run(ctx, dir, nil, "npm", "ci", "--fetch-retries=5", "--ignore-scripts", "--no-audit", "--no-fund")
	})
}

// installed returns a copy of the directory project of the e2e module in which
// install has run. version is what the result depends on besides the project.
func installed(ctx context.Context, project, version string, install func(dir string) error) (string, error) {
	module, cache, unlock, err := open(ctx, filepath.Base(project))
	if err != nil {
		return "", err
	}
	defer unlock()
	sum, err := hashOf(module, project)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, filepath.Base(project)+version+"-"+sum)
	if exists(dir) {
		return dir, nil
	}
	work, err := os.MkdirTemp(cache, filepath.Base(project)+"-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(work, os.DirFS(filepath.Join(module, project))); err != nil {
		return "", err
	}
	if err := install(work); err != nil {
		return "", err
	}
	return dir, os.Rename(work, dir)
}

package binaries

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// PythonProject returns a copy of the Python project in the directory project of the
// e2e module, such as "clients/python", and the interpreter of a virtual environment
// that has exactly what its requirements.txt names. It needs Python 3 with the
// modules venv and ensurepip and, the first time, what PyPI serves. The copy is used
// again as long as neither the project nor Python's version changes.
func PythonProject(ctx context.Context, project string) (dir, interpreter string, err error) {
	version, err := exec.CommandContext(ctx, "python3", "-c", "import platform; print(platform.python_version())").Output()
	if err != nil {
		return "", "", fmt.Errorf("ask python3 for its version: %w", err)
	}
	// The environment is moved afterwards, which its interpreter does not mind.
	python := filepath.Join("venv", "bin", "python")
	dir, err = installed(ctx, project, strings.TrimSpace(string(version)), func(dir string) error {
		if err := run(ctx, dir, nil, "python3", "-m", "venv", "venv"); err != nil {
			return err
		}
		pip := func(args ...string) error {
			args = append([]string{"-m", "pip", "--disable-pip-version-check", "--quiet"}, args...)
			return run(ctx, dir, nil, filepath.Join(dir, python), args...)
		}
		if err := pip("install", "--retries=10", "--no-deps", "--requirement", "requirements.txt"); err != nil {
			return err
		}
		return pip("check")
	})
	return dir, filepath.Join(dir, python), err
}

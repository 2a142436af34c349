package binaries

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Jar returns the runnable jar of a module of the Maven project in the directory
// project of the e2e module: "clients/spring-boot-4" and "webclient", or "." for a
// project that is one module. The module's final name must be "application". The first call builds all modules of the project
// with the mvn command, a JDK and, on a machine that is new to it, what Maven Central
// serves; they are used again until a file of the project changes.
func Jar(ctx context.Context, project, module string) (string, error) {
	root, cache, unlock, err := open(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	sum, err := hashOf(root, project)
	if err != nil {
		return "", err
	}
	jars := filepath.Join(cache, filepath.Base(project)+"-"+sum)
	if !exists(jars) {
		if err := buildJars(ctx, filepath.Join(root, project), cache, jars); err != nil {
			return "", err
		}
	}
	jar := jarOf(jars, module)
	if !exists(jar) {
		return "", fmt.Errorf("the Maven project %s has no module %s with an application.jar", project, module)
	}
	return jar, nil
}

// buildJars builds a copy, so that Maven leaves nothing in the checkout, and leaves
// the jars in the directory jars, each named after its module.
func buildJars(ctx context.Context, source, cache, jars string) error {
	work, err := os.MkdirTemp(cache, "maven-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	project := filepath.Join(work, "project")
	if err := os.CopyFS(project, os.DirFS(source)); err != nil {
		return err
	}
	if err := run(ctx, project, nil, "mvn", "-q", "-B", "-ntp", "package"); err != nil {
		return err
	}
	var built []string
	for _, pattern := range []string{"target/application.jar", "*/target/application.jar"} {
		found, err := fs.Glob(os.DirFS(project), pattern)
		if err != nil {
			return err
		}
		built = append(built, found...)
	}
	collected := filepath.Join(work, "jars")
	if err := os.Mkdir(collected, 0o755); err != nil {
		return err
	}
	for _, path := range built {
		module := filepath.Dir(filepath.Dir(path))
		if err := os.Rename(filepath.Join(project, path), jarOf(collected, module)); err != nil {
			return err
		}
	}
	return os.Rename(collected, jars)
}

// jarOf is where the jar of a module is among others.
func jarOf(jars, module string) string {
	if module == "." {
		module = "application"
	}
	return filepath.Join(jars, module+".jar")
}

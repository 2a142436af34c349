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
// project that is one module. The module's final name must be "application".
// besides are the directories next to the project whose sources it compiles too, such
// as "spring-boot-4". The first call builds all modules of the project with the mvn
// command, a JDK and, on a machine that is new to it, what Maven Central serves; they
// are used again until a file of the project or of besides changes.
func Jar(ctx context.Context, project, module string, besides ...string) (string, error) {
	root, cache, unlock, err := open(ctx, "maven")
	if err != nil {
		return "", err
	}
	defer unlock()
	parent, name := filepath.Split(filepath.Join(root, project))
	sum, err := hashOf(parent, append([]string{name}, besides...)...)
	if err != nil {
		return "", err
	}
	jars := filepath.Join(cache, name+"-"+sum)
	if !exists(jars) {
		if err := buildJars(ctx, parent, name, besides, cache, jars); err != nil {
			return "", err
		}
	}
	jar := jarOf(jars, module)
	if !exists(jar) {
		return "", fmt.Errorf("the Maven project %s has no module %s with an application.jar", project, module)
	}
	return jar, nil
}

// downloads has Maven try again what Maven Central did not serve: up to 3.8 by its wagon,
// which by default gives up at once when it waits in vain or is refused, later by its
// own connector.
var downloads = []string{
	"-Dmaven.wagon.http.retryHandler.count=5",
	"-Dmaven.wagon.http.retryHandler.nonRetryableClasses=java.net.UnknownHostException",
	"-Daether.connector.http.retryHandler.count=5",
}

// buildJars builds a copy, so that Maven leaves nothing in the checkout, and leaves
// the jars in the directory jars, each named after its module.
func buildJars(ctx context.Context, parent, name string, besides []string, cache, jars string) error {
	work, err := os.MkdirTemp(cache, "maven-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for _, dir := range append([]string{name}, besides...) {
		if err := os.CopyFS(filepath.Join(work, dir), os.DirFS(filepath.Join(parent, dir))); err != nil {
			return err
		}
	}
	project := filepath.Join(work, name)
	if err := run(ctx, project, nil, "mvn", append(downloads, "-q", "-B", "-ntp", "package")...); err != nil {
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

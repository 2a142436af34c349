package binaries

import (
	"context"
	"os"
	"path/filepath"
)

// Jar returns the runnable jar of the Maven project in the directory project of
// the e2e module, such as "clients/spring-boot-4", whose final name must be
// "application". It builds it with the mvn command, a JDK and, the first time, what
// Maven Central serves, unless pom and sources are those of a jar built before.
func Jar(ctx context.Context, project string) (string, error) {
	module, cache, unlock, err := open(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	source := filepath.Join(module, project)
	sum, err := hashOf(source, "pom.xml", "src")
	if err != nil {
		return "", err
	}
	jar := filepath.Join(cache, filepath.Base(project)+"-"+sum+".jar")
	if exists(jar) {
		return jar, nil
	}
	return jar, buildJar(ctx, source, cache, jar)
}

// buildJar builds a copy, so that Maven leaves nothing in the checkout.
func buildJar(ctx context.Context, source, cache, jar string) error {
	work, err := os.MkdirTemp(cache, "maven-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := os.CopyFS(filepath.Join(work, "src"), os.DirFS(filepath.Join(source, "src"))); err != nil {
		return err
	}
	pom, err := os.ReadFile(filepath.Join(source, "pom.xml"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(work, "pom.xml"), pom, 0o600); err != nil {
		return err
	}
	if err := run(ctx, work, nil, "mvn", "-q", "-B", "-ntp", "package"); err != nil {
		return err
	}
	return os.Rename(filepath.Join(work, "target", "application.jar"), jar)
}

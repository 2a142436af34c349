package charttest

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

const (
	chart     = "../eurekube"
	release   = "shop-registry"
	namespace = "platform"
)

// helmBinary is the helm that go.mod pins, or the one that HELM names: that is
// how the chart is tried with another version of Helm.
var helmBinary = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("HELM"); path != "" {
		return path, nil
	}
	return tool("helm")
})

// tool is the path of a tool of go.mod, built if it was not yet: the first time
// takes minutes.
func tool(name string) (string, error) {
	out, err := exec.Command("go", "tool", "-n", name).Output()
	if err != nil {
		return "", fmt.Errorf("build %s: %w", name, withStderr(err))
	}
	return strings.TrimSpace(string(out)), nil
}

// helm returns what the command prints, or an error with what it complained of.
func helm(t *testing.T, stdin string, args ...string) ([]byte, error) {
	t.Helper()
	path, err := helmBinary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	return out, withStderr(err)
}

func withStderr(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return err
}

// template renders the chart with values in YAML.
func template(t *testing.T, values string) ([]byte, error) {
	t.Helper()
	return helm(t, values, "template", release, chart, "--namespace="+namespace, "--values=-")
}

// render renders the chart with values that it must accept.
func render(t *testing.T, values string) objects {
	t.Helper()
	out, err := template(t, values)
	if err != nil {
		t.Fatalf("helm template with values %q: %v", cmp.Or(values, "{}"), err)
	}
	return parse(t, out)
}

package acceptance

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/e2e/address"
	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/process"
	"github.com/eurekube/eurekube/e2e/springserver"
)

// program builds eurekatest.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "eurekatest")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "./eureka/eurekatest/cmd/eurekatest")
	build.Dir = "../.."
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build eurekatest: %v\n%s", err, output)
	}
	return path
}

// run runs eurekatest and returns the names that stand on lines which begin with
// word, and its exit code. Servers have more time than on an idle machine.
func run(t *testing.T, eurekatest, word string, args ...string) (names []string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, eurekatest, append([]string{"-settle=10s"}, args...)...)
	output, err := command.Output()
	if err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(output)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == word {
			names = append(names, fields[1])
		}
	}
	t.Logf("eurekatest %s\n%s", strings.Join(args, " "), output)
	return names, command.ProcessState.ExitCode()
}

func TestEurekube(t *testing.T) {
	t.Parallel()
	eurekube, err := binaries.Eurekube(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	listen, admin := free(t), free(t)
	child, err := process.Start("eurekube", filepath.Join(t.TempDir(), "eurekube.log"), eurekube,
		[]string{"serve", "--manifests=../../deploy/demo", "--listen=" + listen, "--admin-listen=" + admin}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := child.Kill(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Log(child.LogTail(40))
		}
	})
	// It answers 503 until it is ready, and eurekatest does not wait for anybody.
	eurekatest := program(t)
	deadline := time.Now().Add(2 * time.Minute)
	for {
		failed, code := run(t, eurekatest, "FAILED", "http://"+listen+"/eureka")
		if code == 2 && time.Now().Before(deadline) {
			time.Sleep(200 * time.Millisecond)
			continue
		}
		if code != 0 || len(failed) > 0 {
			t.Errorf("exit code %d, failed: %q, want all to hold", code, failed)
		}
		return
	}
}

// TestSpring expects what is marked as a difference to be one, and nothing else.
func TestSpring(t *testing.T) {
	for _, release := range []springserver.Release{springserver.Boot3, springserver.Boot4} {
		t.Run(string(release), func(t *testing.T) {
			t.Parallel()
			jar, err := release.Build(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			server, err := springserver.Start(t.Context(), springserver.Config{Jar: jar, LogPath: filepath.Join(t.TempDir(), "server.log")})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := server.Kill(); err != nil {
					t.Error(err)
				}
			})
			eurekatest := program(t)
			differs, code := run(t, eurekatest, "differs", "-netflix", server.URL())
			if code != 0 {
				t.Errorf("exit code %d, want 0: something else than the documented differences failed", code)
			}
			if diff := cmp.Diff(marked(t, eurekatest), slices.Sorted(slices.Values(differs))); diff != "" {
				t.Errorf("checks that this server does not pass (-marked as differences +got):\n%s", diff)
			}
		})
	}
}

// marked lists the checks that are marked as differences.
func marked(t *testing.T, eurekatest string) []string {
	t.Helper()
	list, err := exec.CommandContext(t.Context(), eurekatest, "-list").Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(list)) {
		if name, _, found := strings.Cut(line, " "); found && strings.Contains(line, "Netflix's servers differ:") {
			names = append(names, name)
		}
	}
	return slices.Sorted(slices.Values(names))
}

func free(t *testing.T) string {
	t.Helper()
	free, err := address.Free("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	return free
}

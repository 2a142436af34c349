package devcluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/process"
)

func TestForeground_EndsWithEverythingItStarted(t *testing.T) {
	for _, test := range []struct {
		signal   syscall.Signal
		wantCode int
	}{
		{signal: syscall.SIGINT, wantCode: 0},
		{signal: syscall.SIGKILL, wantCode: -1}, // nobody is left to tidy up: the kernel does
	} {
		t.Run(test.signal.String(), func(t *testing.T) {
			foreground, kubeconfig := startForeground(t)
			if parts := processesNaming(t, kubeconfig); len(parts) < 3 {
				t.Fatalf("processes of the cluster: %v, want several", parts)
			}
			if err := foreground.Signal(test.signal); err != nil {
				t.Fatal(err)
			}
			if code, err := foreground.Wait(t.Context()); err != nil || code != test.wantCode {
				t.Errorf("exit code = %d, %v, want %d\n%s", code, err, test.wantCode, foreground.LogTail(20))
			}
			poll(t, func() error {
				if parts := processesNaming(t, kubeconfig); len(parts) > 0 {
					return fmt.Errorf("outlived the program: %v", parts)
				}
				return nil
			})
			_, err := os.Stat(kubeconfig)
			if left := err == nil; left != (test.signal == syscall.SIGKILL) {
				t.Errorf("the state is left behind: %v", left)
			}
		})
	}
}

// startForeground runs the program as a person does and returns it with the
// kubeconfig file that it prints.
func startForeground(t *testing.T) (foreground *process.Process, kubeconfig string) {
	t.Helper()
	binary, err := binaries.Devcluster(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	foreground, err = process.Start("devcluster", filepath.Join(dir, "log"), binary, nil, []string{"TMPDIR=" + dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := foreground.Kill(); err != nil {
			t.Error(err)
		}
	})
	printed := regexp.MustCompile(`export KUBECONFIG=(\S+)`)
	poll(t, func() error {
		log := foreground.LogTail(100)
		match := printed.FindStringSubmatch(log)
		if match == nil {
			return fmt.Errorf("no kubeconfig file in:\n%s", log)
		}
		kubeconfig = match[1]
		return nil
	})
	return foreground, kubeconfig
}

// processesNaming returns the command lines that name a file.
func processesNaming(t *testing.T, file string) []string {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, line := range lines {
		content, err := os.ReadFile(line)
		if err != nil {
			continue // it has ended meanwhile
		}
		if strings.Contains(string(content), filepath.Dir(file)) {
			found = append(found, strings.ReplaceAll(string(content), "\x00", " "))
		}
	}
	return found
}

func poll(t *testing.T, check func() error) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Minute)
	for {
		last := check()
		if last == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(last)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

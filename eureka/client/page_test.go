package client_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestPageProgram builds the program of docs/go-client.md as it stands there, and
// runs it until it has called itself by its name.
func TestPageProgram(t *testing.T) {
	dir := t.TempDir()
	binary := buildPageProgram(t, dir)
	e := startEurekube(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, binary, listen(t, e))
	command.Dir = filepath.Join(dir, "run")
	var log bytes.Buffer
	command.Stderr = &log
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(command.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	listed := e.listed(t)
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v, want that it ends well", err)
	}
	if !strings.HasPrefix(line, "hello from 127.0.0.1:") || len(listed) != 1 || listed[0].Name != "HELLO" {
		t.Errorf("it said %q, %v, with %d apps listed, want the answer of HELLO; its log:\n%s", line, err, len(listed), log.String())
	}
	if left := e.listed(t); len(left) != 0 {
		t.Errorf("after its end %q is listed, want that it deregistered", left[0].Name)
	}
	files, err := filepath.Glob(filepath.Join(command.Dir, "*"))
	if diff := cmp.Diff([]string{filepath.Join(command.Dir, "eureka.list")}, files); diff != "" || err != nil {
		t.Errorf("files after its end: %v (-want +got):\n%s", err, diff)
	}
}

// buildPageProgram builds the one block of the page that is a program, against this
// module.
func buildPageProgram(t *testing.T, dir string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/go-client.md")
	if err != nil {
		t.Fatal(err)
	}
	var programs []string
	for i, block := range strings.Split(string(page), "```") {
		if text, isGo := strings.CutPrefix(block, "go\n"); i%2 == 1 && isGo && strings.Contains(text, "\npackage main\n") {
			programs = append(programs, text)
		}
	}
	if len(programs) != 1 {
		t.Fatalf("%d programs in the page, want 1", len(programs))
	}
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "hello")
	if err := os.WriteFile(source, []byte(programs[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{{"vet", source}, {"build", "-o", binary, source}} {
		if text, err := exec.CommandContext(t.Context(), "go", arguments...).CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", arguments[0], err, text)
		}
	}
	return binary
}

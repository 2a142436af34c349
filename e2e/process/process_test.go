package process_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/eurekube/eurekube/e2e/process"
)

// parentVariable makes the test binary a parent: it starts a child, says its
// process id and waits to be killed.
const parentVariable = "PROCESS_TEST_PARENT_LOG"

func TestMain(m *testing.M) {
	if log := os.Getenv(parentVariable); log != "" {
		child, err := process.Start("sleep", log, "/bin/sleep", []string{"600"}, nil)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(child.PID())
		<-child.Ended()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func startShell(t *testing.T, script string) *process.Process {
	t.Helper()
	child, err := process.Start("shell", filepath.Join(t.TempDir(), "log"), "/bin/sh", []string{"-c", script}, []string{"WORD=hello"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := child.Kill(); err != nil {
			t.Error(err)
		}
	})
	return child
}

func TestWait_ReturnsTheExitCode(t *testing.T) {
	child := startShell(t, "echo one; echo $WORD >&2; exit 3")
	code, err := child.Wait(t.Context())
	if err != nil || code != 3 {
		t.Fatalf("Wait() = %d, %v, want 3", code, err)
	}
	if got := child.LogTail(1); got != "hello" {
		t.Errorf("LogTail(1) = %q, want the last line, hello", got)
	}
	if got := child.LogTail(10); got != "one\nhello" {
		t.Errorf("LogTail(10) = %q, want both lines", got)
	}
}

func TestWait_EndsWithItsContext(t *testing.T) {
	child := startShell(t, "exec sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := child.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait() = %v, want %v", err, context.Canceled)
	}
}

func TestKill_EndsAStoppedChild(t *testing.T) {
	child := startShell(t, "exec sleep 600")
	if err := child.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := child.Kill(); err != nil {
		t.Fatal(err)
	}
	if code, err := child.Wait(t.Context()); err != nil || code != -1 {
		t.Errorf("Wait() = %d, %v, want -1 for a signal", code, err)
	}
	if err := child.Signal(syscall.SIGTERM); err != nil {
		t.Errorf("Signal() after the end = %v, want nil", err)
	}
}

func TestStart_NamesTheProgramThatIsMissing(t *testing.T) {
	_, err := process.Start("nobody", filepath.Join(t.TempDir(), "log"), "/does/not/exist", nil, nil)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("Start() = %v, want an error that names the process and the file", err)
	}
}

func TestResidentMemory_OfAChildThatEnded(t *testing.T) {
	child := startShell(t, "exec sleep 600")
	now, peak, err := child.ResidentMemory()
	if err != nil || now <= 0 || peak < now {
		t.Errorf("ResidentMemory() = %d, %d, %v, want bytes and no less at the peak", now, peak, err)
	}
	if err := child.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := child.ResidentMemory(); err == nil {
		t.Error("ResidentMemory() of an ended child gave no error")
	}
}

func TestParentKilled_TakesTheChildAlong(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentVariable+"="+filepath.Join(t.TempDir(), "log"))
	output, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var child int
	if _, err := fmt.Sscan(line, &child); err != nil {
		t.Fatalf("the parent said %q: %v", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // it was killed

	deadline := time.Now().Add(time.Minute)
	for running(child) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d outlived its parent", child)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// running reports whether a process exists that is no zombie: nobody may wait
// for an orphan where there is no init.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

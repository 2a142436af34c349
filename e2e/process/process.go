// Package process runs a program under test as a child that cannot outlive the
// test: when the parent dies, by SIGKILL too, the kernel kills the child.
//
// It is for the parts of a devcluster and for the eurekube program in cases. It
// is not for short commands whose output is the result; os/exec does those.
// It uses the parent-death signal and therefore works on Linux only.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// Process is one running child. Its methods may be called concurrently.
type Process struct {
	name    string
	logPath string
	cmd     *exec.Cmd
	ended   chan struct{}
}

// Start runs the program at path with args and appends its output to the file
// logPath. name appears in errors. env holds KEY=VALUE pairs in addition to the
// parent's environment.
func Start(name, logPath, path string, args, env []string) (*Process, error) {
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log of %s: %w", name, err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = log, log
	// A group of its own keeps a terminal's Ctrl-C away from the child: its
	// owner decides when it ends.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}

	process := &Process{name: name, logPath: logPath, cmd: cmd, ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The parent-death signal is sent when the thread that started the child
		// ends, not the process (golang.org/issue/27505), so this thread has to
		// live as long as the child.
		runtime.LockOSThread()
		defer log.Close()
		if err := cmd.Start(); err != nil {
			started <- fmt.Errorf("start %s: %w", name, err)
			return
		}
		started <- nil
		// How the child ended stays in cmd.ProcessState, which Wait reports.
		_ = cmd.Wait()
		close(process.ended)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return process, nil
}

// PID is the child's process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// LogPath is the file that the child's output goes to.
func (p *Process) LogPath() string { return p.logPath }

// Ended is closed when the child has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Signal sends sig to the child. A child that has ended is no error.
func (p *Process) Signal(sig os.Signal) error {
	err := p.cmd.Process.Signal(sig)
	if err == nil || errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return fmt.Errorf("send %s to %s: %w", sig, p.name, err)
}

// Kill ends the child with SIGKILL and returns when it is gone. A stopped child
// (SIGSTOP) is killed as well.
func (p *Process) Kill() error {
	if err := p.Signal(syscall.SIGKILL); err != nil {
		return err
	}
	<-p.ended
	return nil
}

// Wait returns the child's exit code once it has ended: -1 when a signal ended
// it. The error is that of ctx.
func (p *Process) Wait(ctx context.Context) (code int, err error) {
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode(), nil
	case <-ctx.Done():
		return 0, fmt.Errorf("wait for %s to end: %w", p.name, ctx.Err())
	}
}

package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/pflag"

	"github.com/eurekube/eurekube/internal/buildinfo"
)

// waitForSignals in the environment turns the test program into one that waits
// for signals as serve does.
const waitForSignals = "WAIT_FOR_SIGNALS"

func TestMain(m *testing.M) {
	if os.Getenv(waitForSignals) != "" {
		ctx, _ := untilSignal(context.Background())
		fmt.Println("running")
		<-ctx.Done()
		fmt.Println("stopping")
		<-make(chan struct{}) // a shutdown that never comes to its end
	}
	if os.Getenv(runProgram) != "" {
		go func() { // a child must not outlive a test that is killed
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(3)
		}()
		os.Exit(Main(context.Background(), os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// runMain runs the program that never should come so far as to serve.
func runMain(t *testing.T, args, environ []string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errOut strings.Builder
	code = Main(t.Context(), args, environ, &out, &errOut)
	return code, out.String(), errOut.String()
}

func TestMain_Commands(t *testing.T) {
	tests := []struct {
		name   string
		args   []string
		code   int
		stdout string // part of it; empty is nothing
		stderr string
	}{
		{name: "nothing asked", code: 2, stderr: "eurekube serve [flags]"},
		{name: "help", args: []string{"help"}, stdout: "eurekube serve [flags]"},
		{name: "-h", args: []string{"-h"}, stdout: "eurekube serve [flags]"},
		{name: "--help", args: []string{"--help"}, stdout: "eurekube serve [flags]"},
		{name: "help serve", args: []string{"help", "serve"}, stdout: "--publish-max-holdoff duration"},
		{name: "serve -h", args: []string{"serve", "-h"}, stdout: "--publish-max-holdoff duration"},
		{name: "serve --help beside a mistake", args: []string{"serve", "--drain=x", "--help"}, stdout: "--publish-max-holdoff duration"},
		{name: "help for nothing known", args: []string{"help", "sevre"}, code: 2, stderr: `no help for ["sevre"]`},
		{name: "version", args: []string{"version"}, stdout: "eurekube " + buildinfo.Read().String()},
		{name: "--version", args: []string{"--version"}, stdout: "eurekube " + buildinfo.Read().String()},
		{name: "version takes nothing", args: []string{"version", "--short"}, code: 2, stderr: "version takes no arguments"},
		{name: "unknown command", args: []string{"sevre"}, code: 2, stderr: `unknown command "sevre"; commands are serve, version and help`},
		{name: "flag before the command", args: []string{"--drain=1s", "serve"}, code: 2, stderr: `unknown command "--drain=1s"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := runMain(t, tt.args, nil)
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if !strings.Contains(stdout, tt.stdout) || (stdout == "") != (tt.stdout == "") {
				t.Errorf("stdout is %q, want %q in it", stdout, tt.stdout)
			}
			if !strings.Contains(stderr, tt.stderr) || (stderr == "") != (tt.stderr == "") {
				t.Errorf("stderr is %q, want %q in it", stderr, tt.stderr)
			}
		})
	}
}

func TestMain_HelpShowsTheWholeSurface(t *testing.T) {
	_, stdout, _ := runMain(t, []string{"help", "serve"}, nil)
	program, logging := flagSections()
	for _, flags := range []*pflag.FlagSet{program, logging} {
		flags.VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(stdout, "--"+f.Name+" ") && !strings.Contains(stdout, "--"+f.Name+"[") {
				t.Errorf("--%s is not in the help of serve", f.Name)
			}
		})
	}
}

func TestUntilSignal_SecondSignalEndsTheProcess(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			// A script that runs tests in the background has them ignore interrupts, and
			// so would the process: a signal that is handled here has its default effect
			// there.
			caught := make(chan os.Signal, 1)
			signal.Notify(caught, sig)
			defer signal.Stop(caught)
			command := exec.CommandContext(t.Context(), filepath.Clean(executable))
			command.Env = append(os.Environ(), waitForSignals+"=1")
			stdout, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(stdout)
			for _, want := range []string{"running", "stopping"} {
				if !lines.Scan() || lines.Text() != want {
					t.Fatalf("the process says %q, want %q", lines.Text(), want)
				}
				if err := command.Process.Signal(sig); err != nil {
					t.Fatal(err)
				}
			}
			var exit *exec.ExitError
			if err := command.Wait(); !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != sig {
				t.Errorf("after the second signal the process ended with %v, want it ended by %v", err, sig)
			}
		})
	}
}

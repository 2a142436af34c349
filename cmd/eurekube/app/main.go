package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/pflag"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/internal/buildinfo"
)

// Exit codes.
const (
	exitOK      = 0
	exitFailure = 1 // it ran and failed
	exitMisuse  = 2 // it was called wrongly and did not run
)

// Main runs the command that args (without the program's name) ask for and
// returns the exit code: 0 for success, 1 when the command failed, 2 when it
// was called wrongly. environ has the form of os.Environ. serve ends when ctx
// does or the process is told to stop. klog's settings are global, so one
// process calls Main once at a time.
func Main(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	defer klog.Flush()
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitMisuse
	}
	command, args := args[0], args[1:]
	switch command {
	case "serve":
		return runServe(ctx, args, environ, stdout, stderr)
	case "version", "--version":
		if len(args) > 0 {
			return misuse(stderr, fmt.Errorf("version takes no arguments, got %q", args))
		}
		fmt.Fprintln(stdout, "eurekube", buildinfo.Read())
		return exitOK
	case "help", "-h", "--help":
		return help(args, stdout, stderr)
	}
	return misuse(stderr, fmt.Errorf("unknown command %q; commands are serve, version and help", command))
}

func runServe(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	o := NewOptions()
	err := o.Parse(args, environ)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(stdout, serveUsage())
		return exitOK
	}
	if err := errors.Join(err, o.Validate()); err != nil {
		return misuse(stderr, err)
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	if err := serve(ctx, o); err != nil {
		report(stderr, err)
		return exitFailure
	}
	return exitOK
}

// untilSignal ends the returned context at SIGTERM or interrupt. From then on
// both have their default effect again, so that a second one ends the process
// at once, whatever it waits for.
func untilSignal(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGINT, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-told:
		case <-ctx.Done():
		}
		signal.Stop(told) // first, so that no signal falls between the two
		cancel()
	}()
	return ctx, func() {
		cancel()
		<-done
	}
}

// Package command starts the demo programs. A program has a few commands, each with
// flags of its own, and runs one of them until it is done or the program is told to
// stop.
//
// It is not for eurekube itself (cmd/eurekube/app), whose flags can also be variables
// of the environment.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
)

// Command is one of a program.
type Command struct {
	// Name is the first argument that chooses it.
	Name string
	// Flags declares the flags, and returns what runs once they are read. That ends
	// when its context does, as when the program is told to stop.
	Flags func(fs *flag.FlagSet) (run func(ctx context.Context) error)
}

// Run runs the command that args, which begin after the name of the program, name. It
// writes what went wrong and how to call the program to stderr. It returns the exit
// code: 0, 1 when the command failed, 2 when the program was called wrongly. While it
// runs SIGINT and SIGTERM end the command.
func Run(program string, args []string, stderr io.Writer, commands ...Command) (code int) {
	run, err := choose(program, args, stderr, commands)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", program, err)
		return 1
	}
	return 0
}

var errUnknown = errors.New("unknown command")

// choose is what args ask for. The error was told: it is flag.ErrHelp when help was
// asked for.
func choose(program string, args []string, stderr io.Writer, commands []Command) (run func(context.Context) error, err error) {
	var names []string
	for _, c := range commands {
		if len(args) > 0 && args[0] == c.Name {
			fs := flag.NewFlagSet(program+" "+c.Name, flag.ContinueOnError)
			fs.SetOutput(stderr)
			run = c.Flags(fs)
			return run, fs.Parse(args[1:])
		}
		names = append(names, c.Name)
	}
	fmt.Fprintf(stderr, "usage: %s %s [flags]; -h after the command lists its flags\n", program, strings.Join(names, "|"))
	if len(args) > 0 && (args[0] == "-h" || args[0] == "--help" || args[0] == "help") {
		return nil, flag.ErrHelp
	}
	return nil, errUnknown
}

package command_test

import (
	"context"
	"errors"
	"flag"
	"strings"
	"syscall"
	"testing"

	"github.com/eurekube/eurekube/deploy/demo/command"
)

func TestRun(t *testing.T) {
	const usage = "usage: demo greet|wait [flags]; -h after the command lists its flags\n"
	tests := []struct {
		name string
		args []string
		code int
		says string // a part of it
	}{
		{name: "a command", args: []string{"greet", "-to=you"}, says: "hello you\n"},
		{name: "without its flags", args: []string{"greet"}, says: "hello all\n"},
		{name: "one that fails", args: []string{"greet", "-to="}, code: 1, says: "demo: nobody is there\n"},
		{name: "one that is told to stop", args: []string{"wait"}, says: "stopped\n"},
		{name: "none", code: 2, says: usage},
		{name: "an unknown one", args: []string{"shout"}, code: 2, says: usage},
		{name: "an unknown flag", args: []string{"greet", "-loud"}, code: 2, says: "not defined: -loud\nUsage of demo greet:"},
		{name: "help", args: []string{"help"}, says: usage},
		{name: "help by a flag", args: []string{"-h"}, says: usage},
		{name: "help of a command", args: []string{"greet", "-h"}, says: "Usage of demo greet:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var said strings.Builder
			greet := command.Command{Name: "greet", Flags: func(fs *flag.FlagSet) func(context.Context) error {
				to := fs.String("to", "all", "whom to greet")
				return func(context.Context) error {
					if *to == "" {
						return errors.New("nobody is there")
					}
					said.WriteString("hello " + *to + "\n")
					return nil
				}
			}}
			wait := command.Command{Name: "wait", Flags: func(*flag.FlagSet) func(context.Context) error {
				return func(ctx context.Context) error {
					if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
						return err
					}
					<-ctx.Done()
					said.WriteString("stopped\n")
					return nil
				}
			}}
			code := command.Run("demo", tt.args, &said, greet, wait)
			if code != tt.code || !strings.Contains(said.String(), tt.says) {
				t.Errorf("Run(%q) = %d, saying %q, want %d, %q", tt.args, code, said.String(), tt.code, tt.says)
			}
		})
	}
}

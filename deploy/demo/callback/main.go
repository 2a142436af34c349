// Command callback shows what programs of the callback registry need: one that
// writes logs, and one that finds it and logs through it.
//
//	callback log [-registry URL] [-listen ADDRESS]
//	callback grade [-registry URL] [-listen ADDRESS] [-every DURATION]
//
// log prints what is posted to it. grade logs a line again and again through a log
// service that the registry told it of, and prints which one, or why there is none.
// Both take themselves out of the registry when they are told to stop.
//
// It is not for use: it trusts everybody.
package main

import (
	"context"
	"flag"
	"os"
	"time"

	"github.com/eurekube/eurekube/deploy/demo/command"
)

func main() {
	os.Exit(command.Run("callback", os.Args[1:], os.Stderr,
		command.Command{Name: "log", Flags: func(fs *flag.FlagSet) func(context.Context) error {
			registry, listen := programFlags(fs)
			return func(ctx context.Context) error { return writeLogs(ctx, *registry, *listen) }
		}},
		command.Command{Name: "grade", Flags: func(fs *flag.FlagSet) func(context.Context) error {
			registry, listen := programFlags(fs)
			every := fs.Duration("every", time.Second, "time between two lines")
			return func(ctx context.Context) error { return grade(ctx, *registry, *listen, *every) }
		}},
	))
}

// programFlags are those of every program.
func programFlags(fs *flag.FlagSet) (registry, listen *string) {
	return fs.String("registry", "http://localhost:3000/services", "`URL` of the registry"),
		fs.String("listen", "127.0.0.1:0", "`address` for calls, which others are told; port 0 picks a free one")
}

// Command geerpc shows what a program needs that announces itself to a registry of
// GeeRPC, and one that calls it. Calls are made with net/rpc.
//
//	geerpc serve [-registry URL] [-listen ADDRESS] [-interval DURATION]
//	geerpc call [-registry URL] [-mode random|round-robin] [-times N]
//
// serve answers until it is told to stop. call asks for a sum and prints a line for
// each call: the server that was chosen and what it answered. One that cannot be called
// is named on standard error, and another is chosen.
//
// It is not for use: it has no timeouts and trusts everybody.
package main

import (
	"context"
	"flag"
	"os"

	"github.com/eurekube/eurekube/deploy/demo/command"
	"github.com/eurekube/eurekube/eureka/client/geerpc"
)

func main() {
	os.Exit(command.Run("geerpc", os.Args[1:], os.Stderr,
		command.Command{Name: "serve", Flags: func(fs *flag.FlagSet) func(context.Context) error {
			registry := registryFlag(fs)
			listen := fs.String("listen", ":0", "`address` for calls; port 0 picks a free one")
			interval := fs.Duration("interval", geerpc.DefaultInterval, "time between two heartbeats")
			return func(ctx context.Context) error { return serve(ctx, *registry, *listen, *interval) }
		}},
		command.Command{Name: "call", Flags: func(fs *flag.FlagSet) func(context.Context) error {
			registry := registryFlag(fs)
			mode := fs.String("mode", "random", "`random|round-robin`: how a server is chosen")
			times := fs.Int("times", 1, "how many calls to make")
			return func(ctx context.Context) error { return call(ctx, *registry, *mode, *times) }
		}},
	))
}

func registryFlag(fs *flag.FlagSet) *string {
	return fs.String("registry", "http://localhost:8761/_geerpc_/registry", "`URL` of the registry")
}

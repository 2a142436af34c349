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
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	if err != nil && !errors.Is(err, flag.ErrHelp) { // help was given
		fmt.Fprintln(os.Stderr, "geerpc:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop was called
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("commands are serve and call")
	}
	fs := flag.NewFlagSet("geerpc "+args[0], flag.ContinueOnError)
	registry := fs.String("registry", "http://localhost:8761/_geerpc_/registry", "`URL` of the registry")
	switch args[0] {
	case "serve":
		listen := fs.String("listen", ":0", "`address` for calls; port 0 picks a free one")
		interval := fs.Duration("interval", 4*time.Minute, "time between two heartbeats")
		if err := fs.Parse(args[1:]); err != nil {
			return err
		}
		return serve(ctx, *registry, *listen, *interval)
	case "call":
		mode := fs.String("mode", "random", "`random|round-robin`: how a server is chosen")
		times := fs.Int("times", 1, "how many calls to make")
		if err := fs.Parse(args[1:]); err != nil {
			return err
		}
		return call(ctx, *registry, *mode, *times)
	case "-h", "--help", "help":
		fmt.Println("usage: geerpc serve|call [flags]; -h after the command lists its flags")
		return nil
	}
	return fmt.Errorf("unknown command %q; commands are serve and call", args[0])
}

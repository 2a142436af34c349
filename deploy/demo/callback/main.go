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
		fmt.Fprintln(os.Stderr, "callback:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop was called
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("commands are log and grade")
	}
	fs := flag.NewFlagSet("callback "+args[0], flag.ContinueOnError)
	registry := fs.String("registry", "http://localhost:3000/services", "`URL` of the registry")
	listen := fs.String("listen", "127.0.0.1:0", "`address` for calls, which others are told; port 0 picks a free one")
	switch args[0] {
	case "log":
		if err := fs.Parse(args[1:]); err != nil {
			return err
		}
		return writeLogs(ctx, *registry, *listen)
	case "grade":
		every := fs.Duration("every", time.Second, "time between two lines")
		if err := fs.Parse(args[1:]); err != nil {
			return err
		}
		return grade(ctx, *registry, *listen, *every)
	case "-h", "--help", "help":
		fmt.Println("usage: callback log|grade [flags]; -h after the command lists its flags")
		return nil
	}
	return fmt.Errorf("unknown command %q; commands are log and grade", args[0])
}

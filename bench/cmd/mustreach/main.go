// Command mustreach measures what the project promises of speed and size and
// prints one line for each promise: what is wanted, what was got, and whether
// that reaches it. It takes about ten minutes and wants the machine for itself.
//
// The exit code is 1 only when something could not be measured: a figure that is
// missed is told, not punished, since machines differ.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/bench/program"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(klog.NewContext(ctx, klog.Logger{}), os.Stdout) // the figures are all there is to say
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mustreach:", err)
		os.Exit(1)
	}
}

// run prints the table as it grows.
func run(ctx context.Context, out io.Writer) error {
	dir, err := os.MkdirTemp("", "eurekube-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	binary, err := program.Build(ctx, dir)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, row("figure", "wanted", "verdict", "got"))
	for _, measure := range promises {
		lines, err := measure(ctx, binary)
		if err != nil {
			return err
		}
		for _, line := range lines {
			fmt.Fprintln(out, line)
		}
	}
	return nil
}

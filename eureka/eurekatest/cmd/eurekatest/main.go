// Command eurekatest tests a server of the Eureka HTTP API from outside. It prints
// one line per check and exits with 0 when all hold, with 1 when some do not, and
// with 2 when it could not test.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"

	"github.com/eurekube/eurekube/eureka/eurekatest"
)

const usage = `Usage: eurekatest [flags] URL

Tests the Eureka server at URL, such as http://localhost:8761/eureka, over HTTP.
It registers instances under names of its own and takes them away again.

Flags:
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// command is what the arguments ask for.
type command struct {
	config  eurekatest.Config
	list    bool
	netflix bool
}

// run returns the exit code.
func run(ctx context.Context, args []string, out, problems io.Writer) int {
	c, err := parse(args, problems)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(problems, err)
		return 2
	case c.list:
		printList(out, c.config.Checks)
		return 0
	}
	passed, failed, differing := 0, 0, 0
	c.config.Report = func(r eurekatest.Result) {
		switch {
		case r.Err == nil:
			passed++
			fmt.Fprintf(out, "ok       %-26s %s\n", r.Name, r.Fact)
		case c.netflix && r.Difference != "":
			differing++
			fmt.Fprintf(out, "differs  %-26s %s\n", r.Name, r.Difference)
		default:
			failed++
			fmt.Fprintf(out, "FAILED   %-26s %s\n         %s\n", r.Name, r.Fact, r.Err)
		}
	}
	if _, err := eurekatest.Run(ctx, c.config); err != nil {
		fmt.Fprintln(problems, err)
		return 2
	}
	fmt.Fprintf(out, "%d hold, %d do not, %d differ as Netflix's servers do\n", passed, failed, differing)
	if failed > 0 {
		return 1
	}
	return 0
}

func printList(out io.Writer, checks []eurekatest.Check) {
	for _, check := range checks {
		fmt.Fprintf(out, "%-26s %s", check.Name, check.Fact)
		if check.Difference != "" {
			fmt.Fprintf(out, " Netflix's servers differ: %s", check.Difference)
		}
		fmt.Fprintln(out)
	}
}

func parse(args []string, problems io.Writer) (*command, error) {
	c := &command{}
	flags := flag.NewFlagSet("eurekatest", flag.ContinueOnError)
	flags.SetOutput(problems)
	flags.Usage = func() { fmt.Fprint(problems, usage); flags.PrintDefaults() }
	only := flags.String("run", "", "run only the checks whose names match this `regexp`")
	skipSlow := flags.Bool("short", false, "leave out the checks that wait for leases to end")
	flags.BoolVar(&c.list, "list", false, "list the checks and test nothing")
	flags.BoolVar(&c.netflix, "netflix", false, "let the server do as Netflix's servers do where docs/differences.md says that Eurekube does otherwise")
	flags.DurationVar(&c.config.Settle, "settle", eurekatest.DefaultSettle, "how long a write may take to show in reads; a server with Netflix's response cache needs 35s")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, errors.New("see eurekatest -help")
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return nil, fmt.Errorf("-run: %w", err)
	}
	c.config.Checks = slices.DeleteFunc(eurekatest.Checks(), func(check eurekatest.Check) bool {
		return !pattern.MatchString(check.Name) || (*skipSlow && check.Slow)
	})
	if len(c.config.Checks) == 0 {
		return nil, fmt.Errorf("-run: no check's name matches %q; -list lists them", *only)
	}
	if c.list {
		return c, nil
	}
	if flags.NArg() != 1 {
		return nil, errors.New("want one URL, such as http://localhost:8761/eureka; see eurekatest -help")
	}
	c.config.BaseURL = flags.Arg(0)
	return c, nil
}

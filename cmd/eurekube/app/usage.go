package app

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

// usageColumns is the width that help texts are wrapped at.
const usageColumns = 100

const usage = `Eurekube serves labelled, ready pods as a Eureka registry.

Usage:
  eurekube serve [flags]   watch pods and answer Eureka clients
  eurekube version         say which build this is
  eurekube help [serve]    show this text, or the flags of serve
`

// serveUsage is the whole surface of the command serve.
func serveUsage() string {
	program, logging := flagSections()
	return `Watch pods and answer Eureka clients.

Usage:
  eurekube serve [flags]

Flags:
` + program.FlagUsagesWrapped(usageColumns) + `
Flags of the log:
` + logging.FlagUsagesWrapped(usageColumns) + `
Each flag is also an environment variable, --drain for example ` + Variable("drain") + `.
A flag wins over its variable.
`
}

// flagSections are all flags with their defaults, in the two parts in which
// people look for them.
func flagSections() (program, logging *pflag.FlagSet) {
	program = newFlagSet()
	NewOptions().AddFlags(program)
	logging = newFlagSet()
	addLogFlags(logging)
	return program, logging
}

func help(args []string, stdout, stderr io.Writer) int {
	switch strings.Join(args, " ") {
	case "":
		fmt.Fprint(stdout, usage)
		return exitOK
	case "serve":
		fmt.Fprint(stdout, serveUsage())
		return exitOK
	}
	return misuse(stderr, fmt.Errorf("no help for %q; eurekube help shows the commands", args))
}

// misuse reports all mistakes in how the program was called.
func misuse(stderr io.Writer, err error) int {
	report(stderr, err)
	return exitMisuse
}

// report names the program in front of each of the errors that are joined in err:
// they are told apart by it among the lines of the log.
func report(stderr io.Writer, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(stderr, "eurekube:", line)
	}
}

package reference

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

// Flags writes one table row for each flag of the set that is not hidden, in
// the order of the set. variable names the environment variable of a flag.
func Flags(w io.Writer, flags *pflag.FlagSet, variable func(flag string) string) error {
	table := "| flag | variable | default | meaning |\n|---|---|---|---|\n"
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		_, usage := pflag.UnquoteUsage(f)
		defaultValue := ""
		if f.DefValue != "" {
			defaultValue = "`" + f.DefValue + "`"
		}
		table += fmt.Sprintf("| `--%s` | `%s` | %s | %s |\n", f.Name, variable(f.Name), defaultValue, cell(usage))
	})
	_, err := io.WriteString(w, table)
	return err
}

// cell makes text safe inside a table row.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

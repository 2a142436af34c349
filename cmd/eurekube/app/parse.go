package app

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Parse fills the options from the arguments of serve and, where those say
// nothing, from the environment. It goes on after a mistake and returns all of
// them joined; or pflag.ErrHelp alone when help is asked for.
func (o *Options) Parse(args, environ []string) error {
	o.flags = newFlagSet()
	o.AddFlags(o.flags)
	addLogFlags(o.flags)
	o.env = newEnvironment(environ)

	mistakes := o.parseArgs(args)
	if errors.Is(mistakes, pflag.ErrHelp) {
		return pflag.ErrHelp
	}
	return errors.Join(mistakes, o.parseEnvironment())
}

func (o *Options) parseArgs(args []string) error {
	var mistakes []error
	// Unknown flags are kept as arguments: pflag would stop at the first.
	o.flags.ParseErrorsAllowlist.UnknownFlagsHandling = pflag.PassUnknownFlagToArgs
	err := o.flags.ParseAll(args, func(f *pflag.Flag, value string) error {
		if err := o.set(f, value); err != nil {
			mistakes = append(mistakes, fmt.Errorf("--%s=%s: %w", f.Name, value, err))
		}
		return nil
	})
	o.misread = len(o.flags.Args()) > 0
	for _, arg := range o.flags.Args() {
		if strings.HasPrefix(arg, "-") {
			mistakes = append(mistakes, fmt.Errorf("%s: unknown flag; eurekube help serve lists all", arg))
		} else {
			mistakes = append(mistakes, fmt.Errorf("%s: unexpected argument", arg))
		}
	}
	return errors.Join(append(mistakes, err)...)
}

// set gives the flag a value; lists grow when they are given again.
func (o *Options) set(f *pflag.Flag, value string) error {
	if l, ok := f.Value.(*list); ok && f.Changed {
		return l.Append(value)
	}
	err := o.flags.Set(f.Name, value)
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return wanted(f, invalid.Unwrap()) // the caller names the flag or the variable
	}
	return err
}

// typed is a flag and its value as the operator wrote them: --drain=5s, or the
// variable when it came from there.
func (o *Options) typed(flag string) string {
	value := o.flags.Lookup(flag).Value.String()
	if variable, ok := o.variables[flag]; ok {
		return variable + "=" + value
	}
	return "--" + flag + "=" + value
}

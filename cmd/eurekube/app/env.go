package app

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

const (
	variablePrefix = "EUREKUBE_"
	// choerodonNamespaces is how Choerodon's registry is told its namespaces;
	// its deployments keep working when the image is replaced.
	choerodonNamespaces = "REGISTER_SERVICE_NAMESPACE"
)

// Variable is the environment variable that stands in for a flag.
func Variable(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// environment maps variables to values. Those set to nothing are left out: a
// template that has no value writes them so.
type environment map[string]string

func newEnvironment(environ []string) environment {
	env := environment{}
	for _, entry := range environ {
		if name, value, _ := strings.Cut(entry, "="); value != "" {
			env[name] = value
		}
	}
	return env
}

// parseEnvironment sets the flags that the arguments left alone and reports
// variables of ours that no flag has.
func (o *Options) parseEnvironment() error {
	var mistakes []error
	known := map[string]bool{}
	o.flags.VisitAll(func(f *pflag.Flag) {
		names := []string{Variable(f.Name)}
		if f.Name == "namespaces" {
			names = append(names, choerodonNamespaces)
		}
		known[names[0]] = true
		for _, name := range names {
			value, ok := o.env[name]
			if !ok || f.Changed {
				continue
			}
			if err := o.set(f, value); err != nil {
				mistakes = append(mistakes, fmt.Errorf("%s=%s: %w", name, value, err))
			}
			o.variables[f.Name] = name
		}
	})
	for _, name := range slices.Sorted(maps.Keys(o.env)) {
		if strings.HasPrefix(name, variablePrefix) && !known[name] && !injected(name, o.env[name]) {
			// Its value may be a secret that found the wrong name.
			mistakes = append(mistakes, fmt.Errorf("%s: no flag has this variable; eurekube help serve lists all", name))
		}
	}
	return errors.Join(mistakes...)
}

// Kubernetes tells a pod of each Service by variables. For one called eurekube
// they are EUREKUBE_SERVICE_HOST, EUREKUBE_SERVICE_PORT, one more for each named
// port, and the set that Docker links once had, from EUREKUBE_PORT on. A Service
// called eurekube-admin has EUREKUBE_ADMIN_SERVICE_HOST and so on.
var (
	serviceVariable = regexp.MustCompile(`^EUREKUBE_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$`)
	linkVariable    = regexp.MustCompile(`^EUREKUBE_([A-Z0-9_]+_)?PORT$`)
)

// injected reports whether Kubernetes set the variable, and not the operator.
// EUREKUBE_PORT=8761 is what an operator may try; Kubernetes writes a URL there.
func injected(name, value string) bool {
	return serviceVariable.MatchString(name) || linkVariable.MatchString(name) && strings.Contains(value, "://")
}

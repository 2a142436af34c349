package app

import (
	"errors"
	"flag"

	"github.com/spf13/pflag"
	"k8s.io/klog/v2"
)

// addLogFlags defines klog's flags, which set its global state.
func addLogFlags(fs *pflag.FlagSet) {
	var logging flag.FlagSet
	klog.InitFlags(&logging)
	logging.Lookup("v").Usage = "log more: 2 adds connections that failed, 4 each request, each registration and what becomes of each pod"
	fs.AddGoFlagSet(&logging)
}

// wanted says what the flag takes, in place of a mistake in its value where klog
// only passes on the words of a parser of Go.
func wanted(f *pflag.Flag, mistake error) error {
	switch f.Name {
	case "v":
		return errors.New("must be a whole number, such as 2")
	case "log-file-max-size":
		return errors.New("must be a whole number of megabytes")
	case "stderrthreshold", "alsologtostderrthreshold":
		return errors.New("must be INFO, WARNING, ERROR, FATAL or a number")
	}
	if f.DefValue == "true" || f.DefValue == "false" {
		return errors.New("must be true or false")
	}
	return mistake
}

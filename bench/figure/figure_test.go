package figure_test

import (
	"context"
	"testing"

	"k8s.io/klog/v2"
)

// small is how many pods the tests of the measurements have: enough for every
// part to have something to do.
const small = 200

// quiet is the context of tb without a log: the lines of a start, a hundred
// times, would hide the figures.
func quiet(tb testing.TB) context.Context {
	return klog.NewContext(tb.Context(), klog.Logger{})
}

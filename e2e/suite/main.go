package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"testing"
	"time"

	"k8s.io/klog/v2"
)

// Main is the whole of a TestMain: it calls start, runs the tests and ends the test
// program. start builds and starts what the tests share and returns how that ends,
// which happens with the exit code of the tests, whatever that is. The context of
// start ends with an interrupt, and with the program.
func Main(m *testing.M, start func(context.Context) (stop func(code int) error, err error)) {
	code, err := run(m, start)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M, start func(context.Context) (func(int) error, error)) (code int, err error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	// client-go says on standard error what the tests already know, such as a watch
	// that broke while the API server was down.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)

	began := time.Now()
	stop, err := start(ctx)
	if err != nil {
		return 0, err
	}
	fmt.Printf("started in %s\n", time.Since(began).Round(time.Second))
	defer func() { err = errors.Join(err, stop(code)) }()
	return m.Run(), nil
}

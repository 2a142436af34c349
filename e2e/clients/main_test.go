package clients

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"testing"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/e2e/binaries"
)

// The programs that tests run; built before the first one.
var programs struct {
	eurekube, devcluster string
	springBoot4          string // a jar
}

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	klog.LogToStderr(false) // client-go, about what tests look at themselves

	began := time.Now()
	if err := build(ctx); err != nil {
		return 0, err
	}
	fmt.Printf("programs built in %s\n", time.Since(began).Round(time.Second))
	defer func() { err = errors.Join(err, stopCluster()) }()
	return m.Run(), nil
}

func build(ctx context.Context) (err error) {
	if programs.eurekube, err = binaries.Eurekube(ctx); err != nil {
		return err
	}
	if programs.springBoot4, err = binaries.Jar(ctx, "clients/spring-boot-4"); err != nil {
		return err
	}
	programs.devcluster, err = binaries.Devcluster(ctx)
	return err
}

package cases

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/devcluster"
)

// What all tests share and none changes; set before the first one runs.
var (
	programs binaries.Set
	cluster  *devcluster.Cluster
	client   kubernetes.Interface // an administrator
)

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
	// client-go says on standard error what the tests here already know, such as
	// a watch that broke while the API server was down.
	klog.LogToStderr(false)

	began := time.Now()
	programs, err = binaries.Build(ctx)
	if err != nil {
		return 0, err
	}
	fmt.Printf("programs built in %s\n", time.Since(began).Round(time.Second))

	dir, err := os.MkdirTemp("", "eurekube-cases-")
	if err != nil {
		return 0, err
	}
	began = time.Now()
	cluster, err = devcluster.Start(ctx, devcluster.Config{Binary: programs.Devcluster, Dir: dir})
	if err != nil {
		return 0, fmt.Errorf("%w\nthe logs are in %s", err, dir)
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	fmt.Printf("cluster started in %s\n", time.Since(began).Round(time.Millisecond))

	config := cluster.Admin()
	config.ContentType = runtime.ContentTypeProtobuf // ten thousand pods in JSON cost more than they tell
	client, err = kubernetes.NewForConfig(config)
	if err != nil {
		return 0, err
	}
	if code = m.Run(); code != 0 {
		fmt.Printf("the logs of the cluster are in %s\n", dir)
		return code, nil
	}
	return 0, os.RemoveAll(dir)
}

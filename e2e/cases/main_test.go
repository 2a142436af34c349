package cases

import (
	"context"
	"fmt"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"

	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/devcluster"
	"github.com/eurekube/eurekube/e2e/suite"
)

// What all tests share and none changes; set before the first one runs.
var (
	programs binaries.Set
	cluster  *devcluster.Cluster
	client   kubernetes.Interface // an administrator
)

func TestMain(m *testing.M) { suite.Main(m, start) }

func start(ctx context.Context) (stop func(code int) error, err error) {
	programs, err = binaries.Build(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "eurekube-cases-")
	if err != nil {
		return nil, err
	}
	cluster, err = devcluster.Start(ctx, devcluster.Config{Binary: programs.Devcluster, Dir: dir})
	if err != nil {
		return nil, fmt.Errorf("%w\nthe logs are in %s", err, dir)
	}
	config := cluster.Admin()
	config.ContentType = runtime.ContentTypeProtobuf // ten thousand pods in JSON cost more than they tell
	client, err = kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return func(code int) error {
		if err := cluster.Stop(); err != nil || code != 0 {
			fmt.Printf("the logs of the cluster are in %s\n", dir)
			return err
		}
		return os.RemoveAll(dir)
	}, nil
}

package clients

import (
	"context"
	"testing"

	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/suite"
)

// The programs beside the clients; built before the first test.
var programs struct {
	eurekube, devcluster string
}

func TestMain(m *testing.M) { suite.Main(m, start) }

func start(ctx context.Context) (stop func(code int) error, err error) {
	if programs.eurekube, err = binaries.Eurekube(ctx); err != nil {
		return nil, err
	}
	if programs.devcluster, err = binaries.Devcluster(ctx); err != nil {
		return nil, err
	}
	return func(int) error { return stopCluster() }, nil
}

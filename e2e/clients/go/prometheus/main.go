// Program prometheus discovers targets as a Prometheus server does, with its own
// package, and keeps those that are UP by a relabelling rule, as its configuration
// would. It scrapes nothing and cannot register.
package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/discovery"
	"github.com/prometheus/prometheus/discovery/eureka"
	"github.com/prometheus/prometheus/discovery/targetgroup"

	"github.com/eurekube/eurekube/e2e/clients/go/control"
)

func main() {
	settings := control.ParseFlags()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, settings); err != nil {
		control.Log("FATAL", err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, settings control.Settings) error {
	discoverer, err := newDiscoverer(settings)
	if err != nil {
		return err
	}
	updates := make(chan []*targetgroup.Group)
	known := &targets{}
	go func() {
		for groups := range updates {
			known.replace(groups)
		}
	}()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		discoverer.Run(ctx, updates)
	}()
	err = control.Serve(ctx, settings.Address, control.Handler(settings.ID(), known, nil))
	<-ended
	close(updates)
	return err
}

func newDiscoverer(settings control.Settings) (discovery.Discoverer, error) {
	config := eureka.DefaultSDConfig
	config.Server = settings.ServiceURLs[0]
	config.RefreshInterval = model.Duration(settings.FetchInterval)
	registry := client.NewRegistry()
	metrics := config.NewDiscovererMetrics(registry, discovery.NewRefreshMetrics(registry))
	return config.NewDiscoverer(discovery.DiscovererOptions{
		Logger: slog.New(logHandler()), Metrics: metrics, SetName: settings.Name,
	})
}

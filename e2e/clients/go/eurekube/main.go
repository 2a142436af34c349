// Program eurekube is a service on our own Go client: it registers itself and
// discovers others.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/e2e/clients/go/control"
	"github.com/eurekube/eurekube/eureka/client"
)

func main() {
	settings := control.ParseFlags()
	ctx, stop := signal.NotifyContext(klog.NewContext(context.Background(), logr.New(sink{})), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, settings); err != nil {
		control.Log("FATAL", err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, settings control.Settings) error {
	servers, err := client.NewServers(client.Config{ServiceURLs: settings.ServiceURLs})
	if err != nil {
		return err
	}
	discovery := client.NewDiscovery(servers, client.DiscoveryConfig{Interval: settings.FetchInterval})
	runs := []func(context.Context) error{discovery.Run}
	var registered control.Provider
	if settings.Register {
		p, err := newProvider(servers, settings)
		if err != nil {
			return err
		}
		registered = p
		runs = append(runs, p.registration.Run)
	}
	runs = append(runs, func(ctx context.Context) error {
		return control.Serve(ctx, settings.Address, control.Handler(settings.ID(), consumer{discovery}, registered))
	})
	return all(ctx, runs)
}

// all runs what runs until the first one ends, and then ends the others.
func all(ctx context.Context, runs []func(context.Context) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ended := make(chan error)
	for _, run := range runs {
		go func() {
			err := run(ctx)
			stop()
			ended <- err
		}()
	}
	var failed error
	for range runs {
		failed = errors.Join(failed, <-ended)
	}
	return failed
}

// Program fargo is a service as teams write them in Go: hudl/fargo registers it and
// discovers others. The library has requests and polled copies of answers; when to
// send heartbeats and what to do when they are refused is the application's, and is
// done here as go-kit's registrar does it.
package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/signal"
	"syscall"

	"github.com/hudl/fargo"

	"github.com/eurekube/eurekube/e2e/clients/go/control"
)

func main() {
	useJSON := flag.Bool("json", false, "JSON in place of XML")
	vip := flag.String("vip", "", "discover this VIP and nothing else")
	settings := control.ParseFlags()
	logAsCasesRead()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, settings, *useJSON, *vip); err != nil {
		control.Log("FATAL", err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, settings control.Settings, useJSON bool, vip string) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	connection := fargo.NewConn(settings.ServiceURLs...)
	connection.UseJson = useJSON
	connection.PollInterval = settings.FetchInterval

	consumer := newConsumer(&connection, vip)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		consumer.run(ctx)
	}()
	defer func() {
		stop()
		<-ended
	}()
	if !settings.Register {
		return control.Serve(ctx, settings.Address, control.Handler(settings.ID(), consumer, nil))
	}

	provider, err := newProvider(&connection, settings)
	if err != nil {
		return err
	}
	stopped := make(chan error, 1)
	go func() {
		defer stop() // an application that cannot register is of no use
		stopped <- provider.run(ctx)
	}()
	err = control.Serve(ctx, settings.Address, control.Handler(settings.ID(), consumer, provider))
	return errors.Join(err, <-stopped)
}

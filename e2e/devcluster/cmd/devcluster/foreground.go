package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"text/template"
	"time"

	"github.com/eurekube/eurekube/e2e/devcluster"
)

var welcome = template.Must(template.New("welcome").Parse(`
The API server was ready after {{.Took}}. Logs are beside the kubeconfig file.

  export KUBECONFIG={{.Kubeconfig}}

Without a kubectl of your own:

  alias kubectl='{{.Binary}} kubectl'

Run eurekube, from the top of the checkout:

  make build && bin/eurekube serve --kubeconfig {{.Kubeconfig}}

Run two pods, label them, and see them listed:

  kubectl create deployment orders --image=orders --port=8080 --replicas=2
  kubectl label pods --selector app=orders eurekube.io/service=orders
  curl -H 'Accept: application/json' http://localhost:8761/eureka/apps/delta

Ctrl-C stops everything and forgets it.
`))

// runForeground runs a cluster until a signal arrives or a part ends by itself.
func runForeground(out io.Writer) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	binary, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program to run the parts from: %w", err)
	}
	dir, err := os.MkdirTemp("", "devcluster-")
	if err != nil {
		return fmt.Errorf("make a directory for the cluster: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	fmt.Fprintln(out, "Starting etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kwok ...")
	began := time.Now()
	cluster, err := devcluster.Start(ctx, devcluster.Config{Binary: binary, Dir: dir})
	switch {
	case err != nil && ctx.Err() != nil:
		return nil // stopped before it was up: what failed was our own doing
	case err != nil:
		return err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	err = welcome.Execute(out, map[string]any{
		"Took":       time.Since(began).Round(100 * time.Millisecond),
		"Kubeconfig": cluster.Kubeconfig(),
		"Binary":     binary,
	})
	if err != nil {
		return err
	}
	return cluster.Wait(ctx)
}

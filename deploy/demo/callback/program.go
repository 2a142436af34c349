package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eurekube/eurekube/eureka/client/callback"
)

// program is a server that is in the registry as long as it runs.
type program struct {
	*callback.Service
	listener net.Listener
	name     string
}

// newProgram listens, and knows then what others call it by.
func newProgram(ctx context.Context, registry, address, name string, requires ...string) (*program, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	service, err := callback.New(callback.Config{
		Registry: registry,
		Registration: callback.Registration{
			ServiceName: name, ServiceURL: "http://" + listener.Addr().String(), RequiredServices: requires,
		},
	})
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &program{Service: service, listener: listener, name: name}, nil
}

// run answers the registry and, at path, others by handle; work is what the program
// does besides. It returns when ctx has ended and the registry knows.
func (p *program) run(ctx context.Context, path string, handle http.HandlerFunc, work func(context.Context) error) error {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+path, handle)
	mux.Handle("/", p.Handler())
	server := &http.Server{Handler: mux, ReadTimeout: 10 * time.Second}
	fmt.Println(p.name, "at", "http://"+p.listener.Addr().String())

	actors, ctx := errgroup.WithContext(ctx)
	actors.Go(func() error {
		if err := server.Serve(p.listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	actors.Go(func() error {
		defer server.Close() //nolint:errcheck // it only ends
		return p.Run(ctx)
	})
	actors.Go(func() error { return work(ctx) })
	return actors.Wait()
}

package main

import (
	"context"
	"fmt"
	"net"
	"net/rpc"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eurekube/eurekube/eureka/client/geerpc"
)

// Adder is what the server offers.
type Adder struct{}

// Terms are what Sum adds.
type Terms struct{ A, B int }

// Sum answers A + B.
func (Adder) Sum(terms Terms, sum *int) error {
	*sum = terms.A + terms.B
	return nil
}

// serve answers calls and announces where, until ctx ends.
func serve(ctx context.Context, registry, address string, interval time.Duration) error {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	server := rpc.NewServer()
	if err := server.Register(Adder{}); err != nil {
		return err
	}
	name := "tcp@" + listener.Addr().String()
	fmt.Println("serving", name)

	actors, ctx := errgroup.WithContext(ctx)
	actors.Go(func() error {
		server.Accept(listener) // returns when the listener is closed
		return nil
	})
	actors.Go(func() error {
		defer listener.Close() //nolint:errcheck // it only ends
		return geerpc.Heartbeat(ctx, registry, name, interval)
	})
	return actors.Wait()
}

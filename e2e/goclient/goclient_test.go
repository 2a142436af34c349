package goclient

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/e2e/springserver"
	"github.com/eurekube/eurekube/e2e/suite"
)

// Intervals are a second, and servers are JVMs on a busy machine.
const (
	interval = time.Second
	soon     = time.Minute
)

// TestWithSpring takes two services through their lives with Spring's own server,
// which has neither a stream nor a token, and forgets everybody when it is restarted.
func TestWithSpring(t *testing.T) {
	for _, release := range []springserver.Release{springserver.Boot3, springserver.Boot4} {
		t.Run(string(release), func(t *testing.T) {
			jar, err := release.Build(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			server := startSpring(t, springserver.Config{Jar: jar})
			if server == nil {
				return
			}
			orders, cart := start(t, "orders", server.URL()), start(t, "cart", server.URL())
			both := map[string][]string{"orders": {orders.URL()}, "cart": {cart.URL()}}
			suite.Eventually(t, soon, orders.discovers(t.Context(), both))
			suite.Eventually(t, soon, cart.discovers(t.Context(), both))
			suite.Eventually(t, soon, func() error { return knowsTeam(t.Context(), orders, "cart") })

			if err := cart.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			itself := orders.discovers(t.Context(), map[string][]string{"orders": {orders.URL()}})
			suite.Eventually(t, soon, itself)

			if err := server.Kill(); err != nil {
				t.Fatal(err)
			}
			suite.Throughout(t, 3*interval, itself)
			restarted := make(chan *springserver.Server)
			at := springserver.Config{Jar: jar, Address: server.Address()}
			go func() { restarted <- startSpring(t, at) }()
			for waiting := true; waiting; { // it lists nobody at first
				suite.Throughout(t, interval/10, itself)
				select {
				case server = <-restarted:
					waiting = false
				default:
				}
			}
			if server == nil {
				return
			}
			suite.Throughout(t, 4*interval, itself)
			again := start(t, "cart", server.URL())
			both["cart"] = []string{again.URL()}
			suite.Eventually(t, soon, again.discovers(t.Context(), both))
			suite.Eventually(t, soon, orders.discovers(t.Context(), both))
		})
	}
}

// startSpring starts a server for as long as the test lasts. It may be called by any
// goroutine, and returns nil when it failed the test.
func startSpring(t *testing.T, config springserver.Config) *springserver.Server {
	config.LogPath = filepath.Join(t.TempDir(), "server.log")
	server, err := springserver.Start(t.Context(), config)
	if err != nil {
		t.Error(err)
		return nil
	}
	t.Cleanup(func() {
		if err := server.Kill(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func start(t *testing.T, service, url string) *Client {
	t.Helper()
	c, err := Start(t.Context(), Config{
		LogPath: filepath.Join(t.TempDir(), service+".log"), Service: service, ServiceURLs: []string{url}, Interval: interval,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Kill(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("%s\n%s", service, c.LogTail(20))
		}
	})
	return c
}

// discovers returns a check that the client would call exactly these URLs.
func (c *Client) discovers(ctx context.Context, want map[string][]string) func() error {
	return func() error {
		got, err := c.Discovered(ctx)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(want, got); diff != "" {
			return fmt.Errorf("it would call (-want +got):\n%s", diff)
		}
		return nil
	}
}

// knowsTeam returns an error unless the metadata of the one instance of a service
// came through.
func knowsTeam(ctx context.Context, c *Client, service string) error {
	metadata, err := c.Metadata(ctx, service)
	if err != nil {
		return err
	}
	for _, of := range metadata {
		if of["team"] == "checkout" {
			return nil
		}
	}
	return fmt.Errorf("metadata of %s = %v, want team=checkout", service, metadata)
}

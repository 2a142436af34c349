// Package goclient runs a service on our own Go client as a process, and looks into
// what it knows. Its program is clients/go/eurekube.
//
// It is not for comparing clients, which package clients does.
package goclient

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/eurekube/eurekube/e2e/address"
	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/process"
)

// Config is what a service is started with.
type Config struct {
	LogPath      string   // where its output is appended
	Service      string   // its name, in lower case
	ServiceURLs  []string // of Eureka servers
	Interval     time.Duration
	DiscoverOnly bool // it does not register
}

// Client is a running service. Its methods may be called concurrently.
type Client struct {
	*process.Process
	address string
}

// Start builds the program unless it is there, and starts it. It runs until it is
// killed, at the latest with the process that started it.
func Start(ctx context.Context, config Config) (*Client, error) {
	program, err := binaries.GoClient(ctx, "eurekube")
	if err != nil {
		return nil, err
	}
	listen, err := address.Free("127.0.0.1")
	if err != nil {
		return nil, err
	}
	seconds := int(config.Interval / time.Second)
	args := []string{
		"-name=" + config.Service, "-address=" + listen, "-service-url=" + strings.Join(config.ServiceURLs, ","),
		fmt.Sprintf("-no-register=%t", config.DiscoverOnly), fmt.Sprintf("-fetch-interval-seconds=%d", seconds),
		fmt.Sprintf("-renewal-interval-seconds=%d", seconds), fmt.Sprintf("-lease-duration-seconds=%d", 10*seconds),
	}
	child, err := process.Start("the Go client", config.LogPath, program, args, nil)
	if err != nil {
		return nil, err
	}
	return &Client{child, listen}, nil
}

// URL is where it is called, as it registers.
func (c *Client) URL() string { return "http://" + c.address }

// Discovered are the URLs of the instances that it would choose from now, by service.
func (c *Client) Discovered(ctx context.Context) (map[string][]string, error) {
	var discovered map[string][]string
	return discovered, c.ask(ctx, "/discovered", &discovered)
}

// Metadata is that of the instances of a service, as it knows them, by id.
func (c *Client) Metadata(ctx context.Context, service string) (map[string]map[string]string, error) {
	var known []struct {
		ID       string
		Metadata map[string]string
	}
	if err := c.ask(ctx, "/known?app="+service, &known); err != nil {
		return nil, err
	}
	metadata := map[string]map[string]string{}
	for _, instance := range known {
		metadata[instance.ID] = instance.Metadata
	}
	return metadata, nil
}

func (c *Client) ask(ctx context.Context, path string, answer any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.URL()+path, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(answer)
}

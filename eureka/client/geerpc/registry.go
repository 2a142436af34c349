package geerpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The headers of the protocol.
const (
	headerServer  = "X-Geerpc-Server"
	headerServers = "X-Geerpc-Servers"
)

// timeout is for a whole request.
const timeout = 10 * time.Second

// newClient returns a client that keeps no connection: requests are seconds or
// minutes apart, and an open one would hold goroutines, and the way to one of
// several servers behind a name. It follows no redirect, which would turn a POST into
// a GET that is answered well and announces nobody.
func newClient() *http.Client {
	return &http.Client{
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true},
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// newRequest is a request to a registry. The error does not repeat the URL, which may
// hold a password.
func newRequest(ctx context.Context, method, registry string) (*http.Request, error) {
	u, err := url.Parse(registry)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("the registry is named by no URL such as http://eurekube:8761/_geerpc_/registry")
	}
	return http.NewRequestWithContext(ctx, method, registry, http.NoBody)
}

// readServers reads the list of a registry, which is empty but not nil when there
// are no servers.
func readServers(ctx context.Context, client *http.Client, registry string) ([]string, error) {
	request, err := newRequest(ctx, http.MethodGet, registry)
	if err != nil {
		return nil, fmt.Errorf("read the list of servers: %w", err)
	}
	header, err := do(client, request)
	if err != nil {
		return nil, fmt.Errorf("read the list of servers: %w", err)
	}
	if len(header.Values(headerServers)) == 0 {
		return nil, errors.New("read the list of servers: the answer has no " + headerServers + ", so it is from no registry of GeeRPC")
	}
	servers := []string{}
	for server := range strings.SplitSeq(header.Get(headerServers), ",") {
		if server = strings.TrimSpace(server); server != "" {
			servers = append(servers, server)
		}
	}
	return servers, nil
}

// postServer announces a server.
func postServer(ctx context.Context, client *http.Client, registry, server string) error {
	request, err := newRequest(ctx, http.MethodPost, registry)
	if err != nil {
		return err
	}
	request.Header.Set(headerServer, server)
	_, err = do(client, request)
	return err
}

// do sends a request and wants 200.
func do(client *http.Client, request *http.Request) (http.Header, error) {
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // nothing of it is read
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", request.URL.Redacted(), response.Status)
	}
	return response.Header, nil
}

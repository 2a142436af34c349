package devcluster

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"k8s.io/client-go/rest"
)

// waitReady returns when the API server's /readyz is ok, and an error with the
// last answer when ctx ends or the server does.
func (c *Cluster) waitReady(ctx context.Context) error {
	server := c.part(apiserverPart)
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		last := c.askReady(ctx)
		if last == nil {
			return nil
		}
		select {
		case <-ticker.C:
		case <-server.Ended():
			return fmt.Errorf("the API server ended:\n%s", server.LogTail(20))
		case <-ctx.Done():
			return fmt.Errorf("the API server is not ready (%w): %w\n%s", ctx.Err(), last, server.LogTail(20))
		}
	}
}

// askReady makes its client anew each time: until the server has made its
// certificate, there is none to trust.
func (c *Cluster) askReady(ctx context.Context) error {
	client, err := rest.HTTPClientFor(c.restConfig(c.adminToken))
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+c.apiserverAddress()+"/readyz", nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("readyz answered %s", response.Status)
	}
	return nil
}

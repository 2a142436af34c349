package devcluster

import (
	"context"
	"fmt"
	"syscall"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// KillAPIServer ends the API server with SIGKILL, as a crashed machine does:
// connections break and further ones are refused.
func (c *Cluster) KillAPIServer() error {
	return c.part(apiserverPart).Kill()
}

// StartAPIServer starts a killed API server on the same port and the same etcd
// and returns when it is ready.
func (c *Cluster) StartAPIServer(ctx context.Context) error {
	if err := c.startPart(apiserverPart); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	return c.waitReady(ctx)
}

// PauseAPIServer stops the API server with SIGSTOP: connections stay open and
// nobody answers.
func (c *Cluster) PauseAPIServer() error {
	return c.part(apiserverPart).Signal(syscall.SIGSTOP)
}

// ResumeAPIServer lets a paused API server go on.
func (c *Cluster) ResumeAPIServer() error {
	return c.part(apiserverPart).Signal(syscall.SIGCONT)
}

// Compact makes etcd forget every revision but the present one. A watch that
// asks the API server for an older one is answered 410 once the API server's own
// memory of recent events is gone too, that is after a restart.
func (c *Cluster) Compact(ctx context.Context) error {
	client, err := clientv3.New(clientv3.Config{
		Endpoints:   []string{c.etcdURL()},
		DialTimeout: 5 * time.Second,
		Context:     ctx,
	})
	if err != nil {
		return fmt.Errorf("connect to etcd: %w", err)
	}
	defer client.Close()
	now, err := client.Get(ctx, "any")
	if err != nil {
		return fmt.Errorf("read the revision of etcd: %w", err)
	}
	if _, err := client.Compact(ctx, now.Header.Revision, clientv3.WithCompactPhysical()); err != nil {
		return fmt.Errorf("compact etcd: %w", err)
	}
	return nil
}

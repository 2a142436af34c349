package devcluster

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eurekube/eurekube/e2e/process"
)

// Config says where a cluster comes from and where it lives.
type Config struct {
	// Binary is the path of the program built from cmd/devcluster.
	Binary string
	// Dir is an existing, empty directory for state, logs and the kubeconfig
	// file. The caller removes it after Stop.
	Dir string
}

// Cluster is a running control plane. Its methods may be called concurrently,
// except that faults on the API server are for one caller at a time, as every
// other user of the cluster feels them.
type Cluster struct {
	config     Config
	ports      ports
	adminToken string
	admin      *rest.Config

	mu    sync.Mutex // guards parts
	parts map[string]*process.Process
}

// readyTimeout bounds how long the API server may take to become ready. It
// needs 3 seconds on an idle machine with two cores.
const readyTimeout = 5 * time.Minute

// Start starts a control plane and returns when the API server is ready and the
// [FakeNodes] exist. The other parts may still be on their way up. ctx bounds
// the start, not the life of the cluster; after an error nothing is left
// running.
func Start(ctx context.Context, config Config) (*Cluster, error) {
	ports, err := choosePorts()
	if err != nil {
		return nil, err
	}
	cluster := &Cluster{config: config, ports: ports, parts: map[string]*process.Process{}}
	if err := cluster.start(ctx); err != nil {
		return nil, errors.Join(err, cluster.Stop())
	}
	return cluster, nil
}

func (c *Cluster) start(ctx context.Context) error {
	if err := c.writeFiles(); err != nil {
		return err
	}
	if err := c.startPart(etcdPart); err != nil {
		return err
	}
	if err := c.startPart(apiserverPart); err != nil {
		return err
	}
	if err := c.connect(ctx); err != nil {
		return err
	}
	for _, part := range []string{controllerManagerPart, schedulerPart, kwokPart} {
		if err := c.startPart(part); err != nil {
			return err
		}
	}
	return c.createFakeNodes(ctx)
}

// Stop ends every part. The state is of no use afterwards, so nothing is asked
// to end gracefully: an API server would wait a minute for its watches.
func (c *Cluster) Stop() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, part := range c.parts {
		errs = append(errs, part.Kill())
	}
	return errors.Join(errs...)
}

// Wait returns nil when ctx ends and an error, with the last lines of its log,
// when a part ends by itself. It is not for use together with faults.
func (c *Cluster) Wait(ctx context.Context) error {
	c.mu.Lock()
	ended := make(chan string, len(c.parts))
	for name, part := range c.parts {
		go func() {
			select {
			case <-part.Ended():
				ended <- name
			case <-ctx.Done():
			}
		}()
	}
	c.mu.Unlock()
	select {
	case name := <-ended:
		return fmt.Errorf("%s ended:\n%s", name, c.part(name).LogTail(20))
	case <-ctx.Done():
		return nil
	}
}

// Admin returns a client configuration of a member of system:masters, without
// client-side rate limits.
func (c *Cluster) Admin() *rest.Config { return rest.CopyConfig(c.admin) }

// Kubeconfig is the path of a kubeconfig file with the rights of [Cluster.Admin].
func (c *Cluster) Kubeconfig() string { return c.path("kubeconfig") }

func (c *Cluster) path(name string) string { return filepath.Join(c.config.Dir, name) }

func (c *Cluster) part(name string) *process.Process {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.parts[name]
}

func (c *Cluster) startPart(name string) error {
	args := append([]string{name}, c.partArgs(name)...)
	part, err := process.Start(name, c.path(name+".log"), c.config.Binary, args, nil)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parts[name] = part
	return nil
}

// connect waits for the API server, then makes the admin's configuration: the
// certificate that clients trust exists only once the server has made it.
func (c *Cluster) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	if err := c.waitReady(ctx); err != nil {
		return err
	}
	config := c.restConfig(c.adminToken)
	if err := writeKubeconfig(c.Kubeconfig(), config, ""); err != nil {
		return err
	}
	c.admin = config
	return nil
}

func (c *Cluster) client() (*kubernetes.Clientset, error) {
	client, err := kubernetes.NewForConfig(c.admin)
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	return client, nil
}

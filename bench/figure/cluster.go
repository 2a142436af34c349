package figure

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/bench/apiserver"
	"github.com/eurekube/eurekube/bench/fleet"
	"github.com/eurekube/eurekube/bench/program"
)

// cluster is an API server with pods, and the program that follows it.
type cluster struct {
	*program.Program
	server    *apiserver.Server
	listening *httptest.Server
	dir       string
	// listed are the pods that are ready, oldest change first; spare are those
	// that never were.
	listed, spare []*corev1.Pod
}

// startCluster starts the program on pods that are ready and spare ones that are
// not, and does not wait for it.
func startCluster(ctx context.Context, binary string, pods, spare int) (*cluster, error) {
	c := &cluster{server: apiserver.New()}
	for i := range pods + spare {
		pod := fleet.Pod(i)
		if i < pods {
			c.listed = append(c.listed, pod)
		} else {
			pod = fleet.WithReady(pod, false, pod.CreationTimestamp.Time)
			c.spare = append(c.spare, pod)
		}
		c.server.Set(pod)
	}
	var err error
	if c.dir, err = os.MkdirTemp("", "eurekube-bench-"); err != nil {
		return nil, err
	}
	c.listening = httptest.NewServer(c.server)
	kubeconfig := filepath.Join(c.dir, "kubeconfig")
	if err = apiserver.WriteKubeconfig(kubeconfig, c.listening.URL); err == nil {
		c.Program, err = program.Start(ctx, binary, "--kubeconfig="+kubeconfig)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// ready waits until the program serves.
func (c *cluster) ready(ctx context.Context) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return c.Await(ctx, c.Admin+"/readyz")
}

// close ends everything.
func (c *cluster) close() {
	if c.Program != nil {
		c.Stop()
	}
	c.listening.CloseClientConnections() // watches end only with their connections
	c.listening.Close()
	_ = os.RemoveAll(c.dir) // of the temporary directory, which is cleaned anyway
}

// churn turns a spare pod ready and a listed one unready in turn, 50 changes a
// second, until ctx ends or no spare one is left. It calls turnedReady just
// before the watches are handed a pod that is ready, and returns by how much its
// own changes were late at most.
func (c *cluster) churn(ctx context.Context, turnedReady func(*corev1.Pod)) (late time.Duration) {
	next := time.Now()
	for n := 0; len(c.spare) > 0 && len(c.listed) > 0; n++ {
		next = next.Add(changePeriod)
		select {
		case <-ctx.Done():
			return late
		case <-time.After(time.Until(next)):
		}
		if behind := time.Since(next); behind > changePeriod {
			late = max(late, behind)
			next = time.Now() // no burst to make up for it
		}
		if n%2 == 1 {
			c.server.Set(fleet.WithReady(c.listed[0], false, time.Now()))
			c.listed = c.listed[1:]
			continue
		}
		pod := fleet.WithReady(c.spare[0], true, time.Now())
		c.spare = c.spare[1:]
		turnedReady(pod)
		c.server.Set(pod)
	}
	return late
}

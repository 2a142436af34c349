package clients

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eurekube/eurekube/e2e/suite"
)

const (
	// provider is the Deployment that is rolled and the service of its pods.
	provider = "catalogue"
	replicas = 4

	// rollTime is how long a roll may take. Each of its pods waits for reads of the
	// client, and for calls; ten seconds will do on an idle machine.
	rollTime = 5 * time.Minute
)

// startConsumer starts the client without registration, in front of a server that
// follows the pods of a Deployment in a real control plane.
func startConsumer(t *testing.T, c client) *rig {
	cluster := startCluster(t)
	kube, namespace := newClient(t, cluster), newNamespace(t, cluster)
	port := portOf(t, freePort(t, "127.2.0.1"))
	createDeployment(t, kube, namespace, port)

	s := newServer(t, "--kubeconfig="+cluster.Kubeconfig(), "--namespaces="+namespace)
	wanted := newSettings(t)
	wanted.discoverOnly = true
	r := newRig(t, c, s, wanted, 1, "")
	r.kubelet = &kubelet{
		client: kube, namespace: namespace, port: port,
		reads: func() int { return len(r.exchanges(isAnyRead))/max(1, c.requests) - r.givenUp() },
	}
	r.kubelet.start(t.Context())
	// Clients that know no instance at all read the whole registry each time.
	suite.Eventually(t, soon, func() error {
		found, err := s.listed(t.Context(), serviceApp(provider))
		if err == nil && len(found) != replicas {
			err = fmt.Errorf("%d pods are listed, want %d", len(found), replicas)
		}
		return err
	})
	r.start(t)
	return r
}

// The Deployment rolls twice while the client calls its pods without a pause.
func expectRollout(t *testing.T, r *rig) {
	r.expectPods(t, "")
	load := &load{url: r.application.url("/call?service=" + provider), ended: &r.kubelet.calls, answers: map[string]int{}}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var group errgroup.Group
	group.Go(func() error { return load.run(ctx) })
	load.expectAnswers(t, replicas)
	for i, version := range []string{"2.0", "3.0"} {
		r.kubelet.roll(t, version)
		r.expectPods(t, version)
		load.expectAnswers(t, (i+2)*replicas)
	}
	r.kubelet.expectEnded(t, replicas)
	stop()
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(load.failures) > 0 {
		t.Errorf("%d of %d calls failed, the first with %s", len(load.failures), load.calls, load.failures[0])
	}
	t.Logf("%d calls went to %d pods", load.calls, len(load.answers))
}

// expectPods waits until the client discovers the pods of version, all of them and
// no others.
func (r *rig) expectPods(t *testing.T, version string) {
	t.Helper()
	suite.Eventually(t, rollTime, func() error {
		pods, err := r.kubelet.list(t)
		if err != nil {
			return err
		}
		var urls []string
		for _, pod := range pods {
			if pod.DeletionTimestamp == nil && pod.Labels["eurekube.io/version"] == version && pod.Status.PodIP != "" {
				urls = append(urls, fmt.Sprintf("http://%s:%d", pod.Status.PodIP, r.kubelet.port))
			}
		}
		if len(urls) != replicas {
			return fmt.Errorf("%d pods of version %q run, want %d", len(urls), version, replicas)
		}
		slices.Sort(urls)
		return r.application.isDiscovered(t.Context(), map[string][]string{provider: urls})
	})
}

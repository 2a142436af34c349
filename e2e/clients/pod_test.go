package clients

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/e2e/suite"
)

// podHost is the address of the pod of these tests: loopback, so that a process of
// ours can be what runs in it.
const podHost = "127.0.0.11"

// The same application, in a pod that Eurekube lists too: one record, which is the
// pod's, from before the pod is ready until after it is gone.
func TestSpringBoot4_InAPodIsListedOnce(t *testing.T) {
	t.Parallel()
	address := freePort(t, podHost)
	cluster := startCluster(t)
	pod := createPod(t, cluster, newNamespace(t, cluster), serviceName, address)
	// Clients that know no instance at all read the whole registry each time.
	createPod(t, cluster, pod.Namespace, "warehouse", "127.0.0.12:8080").report(t, "127.0.0.12", true)
	s := newServer(t, "--kubeconfig="+cluster.Kubeconfig(), "--namespaces="+pod.Namespace)
	wanted := newSettings(t)
	wanted.address, wanted.serviceURLs = address, []string{serviceURL(s.address, "")}
	a := startApplication(t, springBoot4[0], wanted)
	s.expectHeartbeats(t, 2)
	a.expectQuiet(t, starting)
	if err := s.isGone(t, a.app); err != nil {
		t.Fatalf("the pod is not ready: %v", err)
	}

	pod.report(t, podHost, true)
	expectPodRecord(t, s, a, pod)
	s.expectHeartbeats(t, int(leaseDuration/interval)+2)
	expectPodRecord(t, s, a, pod)
	a.expectDiscovered(t, soon, map[string][]string{
		serviceName: {a.url("")},
		"warehouse": {"http://127.0.0.12:8080"},
	})

	expectLeavesWithThePod(t, s, a, pod)
	if refused := s.heartbeats(t, "404"); refused > 0 {
		t.Errorf("%v heartbeats were answered 404, want none", refused)
	}
}

func expectPodRecord(t *testing.T, s *server, a *application, p *pod) {
	t.Helper()
	got := s.expectListed(t, a.app, "UP")
	wantID := fmt.Sprintf("%s:%s:%d", podHost, serviceName, a.port)
	if got.ID != wantID || got.ID == a.id {
		t.Errorf("listed as %s, want %s, the pod's id, and not %s, the application's", got.ID, wantID, a.id)
	}
	want := map[string]string{
		"namespace": p.Namespace, "pod": p.Name, "version": "1.0",
		"team":            "checkout", // only the application knows
		"management.port": fmt.Sprint(a.port),
	}
	if diff := cmp.Diff(want, got.Metadata); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
}

// expectHeartbeats waits until the server has answered that many more heartbeats
// with 200.
func (s *server) expectHeartbeats(t *testing.T, more int) {
	t.Helper()
	before := s.heartbeats(t, "200")
	suite.Eventually(t, time.Duration(more)*interval+soon, func() error {
		if got := int(s.heartbeats(t, "200") - before); got < more {
			return fmt.Errorf("%d heartbeats were answered 200, want %d", got, more)
		}
		return nil
	})
}

// expectLeavesWithThePod deletes the pod while its application still runs and
// renews, as it does until its grace period is over.
func expectLeavesWithThePod(t *testing.T, s *server, a *application, p *pod) {
	t.Helper()
	if err := p.remove(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	suite.Eventually(t, soon, func() error { return s.isGone(t, a.app) })
	s.expectHeartbeats(t, 2)
	a.expectStops(t)
	a.expectQuiet(t, "Stop")
	back := errors.Join(s.isGone(t, a.app), p.remove(t.Context(), 0), s.isGone(t, a.app))
	if back != nil {
		t.Errorf("a pod that was deleted came back: %v", back)
	}
}

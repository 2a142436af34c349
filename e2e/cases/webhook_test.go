package cases

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

// receiver takes webhooks and notes what each pod's changes were.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex // guards told
	told   map[string][]string
	signed bool
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{told: map[string][]string{}, signed: true}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		var told struct {
			Event, Cause string
			Instance     instance
		}
		if json.Unmarshal(body, &told) != nil {
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		pod := told.Instance.Metadata["pod"]
		r.told[pod] = append(r.told[pod], told.Event+" "+told.Cause)
		r.signed = r.signed && strings.HasPrefix(request.Header.Get("Eurekube-Signature"), "t=")
	}))
	t.Cleanup(r.Close)
	return r
}

// of returns what was told of a pod, separated by commas.
func (r *receiver) of(pod string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.told[pod], ", ")
}

func (r *receiver) expect(t *testing.T, within time.Duration, pod, want string) {
	t.Helper()
	suite.Eventually(t, within, func() error {
		if got := r.of(pod); got != want {
			return fmt.Errorf("told of %s: %q, want %q", pod, got, want)
		}
		return nil
	})
}

// tells reports whether p is the one that tells webhooks.
func (p *program) tells(ctx context.Context) (bool, error) {
	_, body, err := get(ctx, p.admin+"/metrics")
	return strings.Contains(string(body), "\neurekube_webhook_sending 1\n"), err
}

// Two servers agree on the one that tells, and the other takes its place.
func TestWebhook_IsToldByOneReplica(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	hook := newReceiver(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("key\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	installed := installChart(t, namespace, "namespaces={"+namespace+"}", "webhook.urls={"+hook.URL+"}")
	kubeconfig := installed.kubeconfig(t, "")
	replicas := make([]*program, 2)
	for i := range replicas {
		replicas[i] = startProgram(t, kubeconfig, "--namespaces="+namespace, "--webhook="+hook.URL, "--webhook-secret-file="+secret)
		replicas[i].expectReady(t)
	}
	leader := expectLeader(t, replicas...)

	createReady(t, namespace, "orders-1", "orders")
	hook.expect(t, soon, "orders-1", "up ready")

	// The next one tells again what the Lease does not show to have been told: what
	// came within the last three of its own looks at it, 13 s in all at most.
	expectRenewals(t, namespace, 8)
	if err := leader.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-leader.Ended()
	createReady(t, namespace, "orders-2", "orders")
	hook.expect(t, soon, "orders-2", "up ready")
	remove(t, namespace, "orders-2", time.Minute)
	hook.expect(t, soon, "orders-2", "up ready, down terminating")
	if got := hook.of("orders-1"); got != "up ready" {
		t.Errorf("told of orders-1: %q, want it once", got)
	}
	if !hook.signed {
		t.Error("a change came without a signature")
	}
}

// expectRenewals waits until whoever tells webhooks has renewed the Lease, which it
// does every two seconds, so many times.
func expectRenewals(t *testing.T, namespace string, times int) {
	t.Helper()
	renewals := make(map[time.Time]bool)
	suite.Eventually(t, 2*time.Minute, func() error {
		leases, err := client.CoordinationV1().Leases(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, lease := range leases.Items {
			renewals[lease.Spec.RenewTime.Time] = true
		}
		if len(renewals) <= times {
			return fmt.Errorf("the Lease was seen renewed %d times, want %d", len(renewals)-1, times)
		}
		return nil
	})
}

// expectLeader waits until exactly one of the replicas tells.
func expectLeader(t *testing.T, replicas ...*program) *program {
	t.Helper()
	var leader *program
	suite.Eventually(t, soon, func() error {
		leading := 0
		for _, replica := range replicas {
			tells, err := replica.tells(t.Context())
			if err != nil {
				return err
			}
			if tells {
				leader = replica
				leading++
			}
		}
		if leading != 1 {
			return fmt.Errorf("%d of the servers tell webhooks, want 1", leading)
		}
		return nil
	})
	return leader
}

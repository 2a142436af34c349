package cases

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/eurekube/eurekube/e2e/devcluster"
	"github.com/eurekube/eurekube/e2e/suite"
)

// outage is how long the API server stays away: long enough for several tries
// of client-go to fail, and for a lease of 10 seconds to end if anybody used one.
const outage = time.Minute

// startThrough starts a program that reaches the API server through proxy only.
func startThrough(t *testing.T, proxy *devcluster.Proxy, namespace string) *program {
	t.Helper()
	installed := installChart(t, namespace, "namespaces={"+namespace+"}")
	return startProgram(t, installed.kubeconfig(t, proxy.Address()), "--namespaces="+namespace)
}

func startProxy(t *testing.T) *devcluster.Proxy {
	t.Helper()
	proxy, err := cluster.StartProxy()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := proxy.Close(); err != nil {
			t.Error(err)
		}
	})
	return proxy
}

// withoutAPIServer calls during while the API server is dead, and brings it back
// in any case: other tests want it.
func withoutAPIServer(t *testing.T, during func()) {
	t.Helper()
	if err := cluster.KillAPIServer(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := cluster.StartAPIServer(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	during()
}

// withHungAPIServer is withoutAPIServer for one that keeps its connections and
// says nothing.
func withHungAPIServer(t *testing.T, during func()) {
	t.Helper()
	if err := cluster.PauseAPIServer(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := cluster.ResumeAPIServer(); err != nil {
			t.Error(err)
		}
	}()
	during()
}

// expectUnchanged makes sure that exactly the pods named are listed, all the
// time for as long as duration.
func (p *program) expectUnchanged(t *testing.T, duration time.Duration, namespace string, names ...string) {
	t.Helper()
	suite.Throughout(t, duration, func() error {
		answer, err := p.list(t.Context(), "apps")
		if err != nil {
			return err
		}
		return sameNames(answer.pods(namespace), names)
	})
}

// Not parallel: the whole cluster is without its API server.
func TestAPIServer_KilledAndBack(t *testing.T) {
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	createReady(t, namespace, "orders-2", "orders")
	proxy := startProxy(t)
	program := startThrough(t, proxy, namespace)
	program.expectReady(t)
	program.expectListed(t, soon, namespace, "orders-1", "orders-2")

	// What happens now, the program can learn only afterwards.
	proxy.Cut()
	remove(t, namespace, "orders-1", 0)
	createReady(t, namespace, "orders-3", "orders")
	withoutAPIServer(t, func() {
		program.expectUnchanged(t, outage, namespace, "orders-1", "orders-2")
		age := program.contactAge(t)
		// The last contact may have been a moment before the cut, never after.
		if age < outage.Seconds() || age > outage.Seconds()+60 {
			t.Errorf("eurekube_api_server_contact_age_seconds = %v after %s", age, outage)
		}
	})

	proxy.Restore()
	program.expectListed(t, healTime, namespace, "orders-2", "orders-3")
	program.expectDelta(t, namespace, "orders-1 DELETED", "orders-3 ADDED")
	suite.Eventually(t, healTime, func() error {
		if age := program.contactAge(t); age > 5 {
			return fmt.Errorf("eurekube_api_server_contact_age_seconds = %v, want less than 5", age)
		}
		return nil
	})
}

func (p *program) contactAge(t *testing.T) float64 {
	t.Helper()
	age, err := p.gauge(t.Context(), "eurekube_api_server_contact_age_seconds")
	if err != nil {
		t.Fatal(err)
	}
	return age
}

// Not parallel: the API server stops answering everybody.
func TestAPIServer_HangsAndComesBack(t *testing.T) {
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	program := startIn(t, namespace)
	program.expectListed(t, soon, namespace, "orders-1")

	withHungAPIServer(t, func() {
		program.expectUnchanged(t, 3*time.Second, namespace, "orders-1")
	})
	createReady(t, namespace, "orders-2", "orders")
	program.expectListed(t, healTime, namespace, "orders-1", "orders-2")
}

// Not parallel: the API server has to forget its recent events, and does so
// only when it is started again.
func TestFieldCase61_WatchCutBy410ConvergesWithTombstones(t *testing.T) {
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	createReady(t, namespace, "orders-2", "orders")
	proxy := startProxy(t)
	program := startThrough(t, proxy, namespace)
	program.expectReady(t)
	program.expectListed(t, soon, namespace, "orders-1", "orders-2")
	list, err := pods(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}

	proxy.Cut()
	remove(t, namespace, "orders-1", 0)
	createReady(t, namespace, "orders-3", "orders")
	if err := cluster.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	withoutAPIServer(t, func() {})
	expectGone(t, namespace, list.ResourceVersion)

	proxy.Restore()
	program.expectListed(t, healTime, namespace, "orders-2", "orders-3")
	program.expectDelta(t, namespace, "orders-1 DELETED", "orders-3 ADDED")
}

// expectGone makes sure that a watch from resourceVersion, which is where the
// program's broke, is answered 410.
func expectGone(t *testing.T, namespace, resourceVersion string) {
	t.Helper()
	watcher, err := pods(namespace).Watch(t.Context(), metav1.ListOptions{ResourceVersion: resourceVersion})
	if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Stop()
	select {
	case event := <-watcher.ResultChan():
		if err := apierrors.FromObject(event.Object); event.Type != watch.Error || !apierrors.IsResourceExpired(err) {
			t.Fatalf("a watch from %s began with %s %v, want 410", resourceVersion, event.Type, err)
		}
	case <-time.After(soon):
		t.Fatalf("a watch from %s was not answered", resourceVersion)
	}
}

func TestFieldCase65_NoAnswerBeforeTheAPIServerGaveOne(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	names := []string{"orders-1", "orders-2", "orders-3"}
	for _, name := range names {
		createReady(t, namespace, name, "orders")
	}
	proxy := startProxy(t)
	proxy.Cut()
	program := startThrough(t, proxy, namespace)
	suite.Eventually(t, soon, func() error { return program.answers(t.Context(), program.admin+"/healthz", http.StatusOK) })
	unavailable := []string{program.base + "/eureka/apps", program.base + "/eureka/apps/delta", program.admin + "/readyz"}
	suite.Throughout(t, 3*time.Second, func() error {
		for _, url := range unavailable {
			if err := program.answers(t.Context(), url, http.StatusServiceUnavailable); err != nil {
				return err
			}
		}
		return program.answers(t.Context(), program.admin+"/healthz", http.StatusOK)
	})

	proxy.Restore()
	var first listing
	suite.Eventually(t, healTime, func() (err error) {
		first, err = program.list(t.Context(), "apps")
		return err
	})
	if err := sameNames(first.pods(namespace), names); err != nil {
		t.Errorf("the first answer is not complete: %v", err)
	}
	program.expectReady(t)
}

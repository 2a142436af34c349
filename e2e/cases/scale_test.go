package cases

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

const (
	scalePods     = 10_000
	scaleServices = 400

	// What the project promises. Time depends on who else uses the machine, so
	// the test fails only far above it and prints what it was.
	scaleServedWithin = 5 * time.Second
	scaleTimePatience = 36
	scaleMemory       = 128 << 20
)

// Not parallel: it needs the machine to itself.
func TestScale_TenThousandPods(t *testing.T) {
	if testing.Short() {
		t.Skip("it creates 10,000 pods")
	}
	namespace := newNamespace(t)
	began := time.Now()
	if err := createMany(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pods created in %s", scalePods, time.Since(began).Round(time.Second))
	t.Cleanup(func() { removeAll(t, namespace) })
	installed := installChart(t, namespace, "namespaces={"+namespace+"}")
	kubeconfig := installed.kubeconfig(t, "")

	began = time.Now()
	program := startProgram(t, kubeconfig, "--namespaces="+namespace)
	whole := fmt.Appendf(nil, `"apps__hashcode":"UP_%d_"`, scalePods)
	suite.Eventually(t, scaleTimePatience*scaleServedWithin, func() error {
		status, body, err := get(t.Context(), program.base+"/eureka/apps")
		if err == nil && status != http.StatusServiceUnavailable && !bytes.Contains(body, whole) {
			// The first answer is the whole list or the program is wrong.
			t.Fatalf("an answer of status %d before the list was complete: %.200q", status, body)
		}
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("GET apps answered %d", status)
		}
		return err
	})
	t.Logf("served %s after the program's start (promised: %s)",
		time.Since(began).Round(time.Millisecond), scaleServedWithin)

	now, peak, err := program.ResidentMemory()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("resident: %d MiB now, %d MiB at most (promised: %d MiB)", now>>20, peak>>20, scaleMemory>>20)
	if now > scaleMemory {
		t.Errorf("resident memory = %d MiB, want at most %d MiB", now>>20, scaleMemory>>20)
	}
}

// createMany creates the pods, ready, as fast as the API server lets it.
func createMany(ctx context.Context, namespace string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(32)
	for i := range scalePods {
		group.Go(func() error {
			service := fmt.Sprintf("service-%03d", i%scaleServices)
			pod := newPod(fmt.Sprintf("%s-%03d", service, i/scaleServices), service)
			_, err := createPod(ctx, namespace, pod, readyStatus(newAddress()))
			return err
		})
	}
	return group.Wait()
}

// removeAll gives the cluster back to the tests that follow. On a busy machine it takes
// minutes, and the API server ends such a request after one.
func removeAll(t *testing.T, namespace string) {
	none := int64(0)
	suite.Eventually(t, 10*time.Minute, func() error {
		// The test's own context has ended by now.
		return pods(namespace).DeleteCollection(context.Background(), metav1.DeleteOptions{GracePeriodSeconds: &none}, metav1.ListOptions{})
	})
}

package cases

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/e2e/goclient"
	"github.com/eurekube/eurekube/e2e/suite"
)

// A Go client that follows the stream calls a pod from when it is ready until its
// termination begins, and never after. Its interval is an hour: what it knows,
// events told it.
func TestGoClient_CallsAPodFromReadyToTermination(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	program := startIn(t, namespace)
	program.expectReady(t)
	caller, err := goclient.Start(t.Context(), goclient.Config{
		LogPath: filepath.Join(t.TempDir(), "goclient.log"), Service: "caller", ServiceURLs: []string{program.base + "/eureka/"},
		Interval: time.Hour, DiscoverOnly: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := caller.Kill(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Log(caller.LogTail(20))
		}
	})
	calls := func(want map[string][]string) func() error {
		return func() error {
			got, err := caller.Discovered(t.Context())
			if err != nil {
				return err
			}
			if diff := cmp.Diff(want, got); diff != "" {
				return fmt.Errorf("it would call (-want +got):\n%s", diff)
			}
			return nil
		}
	}
	suite.Eventually(t, soon, calls(map[string][]string{}))
	suite.Eventually(t, soon, func() error {
		streams, err := program.gauge(t.Context(), "eurekube_streams")
		if err == nil && streams != 1 {
			err = fmt.Errorf("%v streams are open, want the client's", streams)
		}
		return err
	})

	waiting := newAddress()
	create(t, namespace, newPod("orders-1", "orders"), notReadyStatus(waiting))
	second := createReady(t, namespace, "orders-2", "orders").Status.PodIP
	suite.Eventually(t, soon, calls(podURLs(second)))
	setStatus(t, namespace, "orders-1", readyStatus(waiting))
	suite.Eventually(t, soon, calls(podURLs(waiting, second)))

	remove(t, namespace, "orders-1", longGrace)
	rest := calls(podURLs(second))
	suite.Eventually(t, soon, rest)
	suite.Throughout(t, time.Second, rest)
	expectTerminatingAndReady(t, namespace, "orders-1")
	remove(t, namespace, "orders-1", 0)
	suite.Throughout(t, time.Second, rest)
}

// podURLs is where pods of newPod are called.
func podURLs(ips ...string) map[string][]string {
	var urls []string
	for _, ip := range ips {
		urls = append(urls, "http://"+ip+":8080")
	}
	slices.Sort(urls)
	return map[string][]string{"orders": urls}
}

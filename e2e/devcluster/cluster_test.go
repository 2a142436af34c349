package devcluster_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/devcluster"
)

// One cluster serves all that is said here of a running one: a start costs
// seconds.
func TestCluster(t *testing.T) {
	cluster := start(t)
	client := clientFor(t, cluster.Admin())

	t.Run("runs a pod on a fake node", func(t *testing.T) { runsPods(t, client) })
	t.Run("a service account has its own rights only, and is audited", func(t *testing.T) {
		auditsServiceAccounts(t, cluster, client)
	})
	t.Run("state survives the API server", func(t *testing.T) { survivesAPIServer(t, cluster, client) })
	t.Run("a paused API server does not answer", func(t *testing.T) { pauses(t, cluster, client) })
	t.Run("an old revision is gone after a compaction", func(t *testing.T) { compacts(t, cluster, client) })
	t.Run("nothing answers after Stop", func(t *testing.T) {
		if err := cluster.Stop(); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Discovery().ServerVersion(); err == nil {
			t.Error("the API server still answers")
		}
	})
}

func start(t *testing.T) *devcluster.Cluster {
	t.Helper()
	binary, err := binaries.Devcluster(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cluster, err := devcluster.Start(t.Context(), devcluster.Config{Binary: binary, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Error(err)
		}
	})
	return cluster
}

func clientFor(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func runsPods(t *testing.T, client kubernetes.Interface) {
	version, err := client.Discovery().ServerVersion()
	if err != nil || version.Major != "1" || version.Minor != "37" {
		t.Errorf("ServerVersion() = %+v, %v, want 1.37", version, err)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "any"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Image: "app"}}},
	}
	if _, err := client.CoreV1().Pods("default").Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	poll(t, func() error {
		pod, err := client.CoreV1().Pods("default").Get(t.Context(), "any", metav1.GetOptions{})
		if err == nil && (pod.Status.PodIP == "" || devcluster.FakeNodes[pod.Spec.NodeName] == "") {
			err = fmt.Errorf("the pod does not run: node %q, status %+v", pod.Spec.NodeName, pod.Status)
		}
		return err
	})
}

func auditsServiceAccounts(t *testing.T, cluster *devcluster.Cluster, client kubernetes.Interface) {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "guest"}}
	_, err := client.CoreV1().ServiceAccounts("default").Create(t.Context(), account, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := cluster.ServiceAccountKubeconfig(t.Context(), "default", "guest", "", path); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = clientFor(t, config).CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{})
	if !apierrors.IsForbidden(err) {
		t.Errorf("a list without rights = %v, want forbidden", err)
	}
	events, err := cluster.Audit(devcluster.ServiceAccountUser("default", "guest"))
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 1 || events[0].Verb != "list" || events[0].ResponseStatus.Code != http.StatusForbidden {
		t.Errorf("Audit() = %+v, want the one list that was refused", events)
	}
	events, err = cluster.Audit("admin")
	if err != nil || len(events) != 0 {
		t.Errorf("Audit(admin) = %d events, %v, want none", len(events), err)
	}
}

func survivesAPIServer(t *testing.T, cluster *devcluster.Cluster, client kubernetes.Interface) {
	before, err := client.CoreV1().Nodes().Get(t.Context(), "fake-a", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := cluster.KillAPIServer(); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Discovery().ServerVersion(); err == nil {
		t.Error("a killed API server answers")
	}
	if err := cluster.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := client.CoreV1().Nodes().Get(t.Context(), "fake-a", metav1.GetOptions{})
	if err != nil || before.UID != after.UID {
		t.Errorf("the node is %v after the restart, %v; want %v", after.UID, err, before.UID)
	}
}

func pauses(t *testing.T, cluster *devcluster.Cluster, client kubernetes.Interface) {
	if err := cluster.PauseAPIServer(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	_, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a list from a paused API server = %v, want no answer", err)
	}
	if err := cluster.ResumeAPIServer(); err != nil {
		t.Fatal(err)
	}
	if _, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{}); err != nil {
		t.Errorf("a list from a resumed API server: %v", err)
	}
}

func compacts(t *testing.T, cluster *devcluster.Cluster, client kubernetes.Interface) {
	list, err := client.CoreV1().ConfigMaps("default").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "news"}}
	if _, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), config, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := cluster.KillAPIServer(); err != nil {
		t.Fatal(err)
	}
	if err := cluster.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	watcher, err := client.CoreV1().ConfigMaps("default").Watch(t.Context(), metav1.ListOptions{
		ResourceVersion: list.ResourceVersion,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Stop()
	event := <-watcher.ResultChan()
	if err := apierrors.FromObject(event.Object); !apierrors.IsResourceExpired(err) {
		t.Errorf("a watch from revision %s began with %s %v, want 410", list.ResourceVersion, event.Type, err)
	}
}

func TestStart_ReportsAPartThatCannotRun(t *testing.T) {
	_, err := devcluster.Start(t.Context(), devcluster.Config{Binary: "/bin/false", Dir: t.TempDir()})
	if err == nil {
		t.Fatal("a cluster started from a program that only fails")
	}
	if !strings.Contains(err.Error(), "the API server ended") {
		t.Errorf("Start() = %v, want an error that names the part", err)
	}
}

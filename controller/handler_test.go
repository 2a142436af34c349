package controller

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka/registry"
)

// synced is a controller of config that has seen all pods, and runs until the test
// ends.
func synced(t *testing.T, config Config) *Controller {
	t.Helper()
	config.Rules = convertor.Rules{Prefixes: []string{"eurekube.io"}}
	config.Registry, config.Registerer = registry.New(time.Now), prometheus.NewRegistry()
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = c.Run(t.Context()) }()
	<-c.Synced()
	return c
}

// An informer hands out tombstones only after a loss that a fake server cannot
// stage for a key without its pod, so the handler is called by hand.
func TestFieldCase61_TombstonesAreDeletes(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: map[string]string{"eurekube.io/service": "web"}}}
	tests := map[string]cache.DeletedFinalStateUnknown{
		"with the pod":      {Key: "shop/web-1", Obj: pod},
		"with a key only":   {Key: "shop/web-1"},
		"with a nil inside": {Key: "shop/web-1", Obj: (*corev1.Pod)(nil)},
	}
	for name, tombstone := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := synced(t, Config{Client: fake.NewClientset(pod)})
				if got := len(c.Pods()); got != 1 {
					t.Fatalf("%d pods are known, want 1", got)
				}
				s := c.sources[0]
				if err := s.informer.GetStore().Delete(pod); err != nil {
					t.Fatal(err)
				}
				c.handler(s).OnDelete(tombstone)
				synctest.Wait()
				if got := c.Pods(); len(got) != 0 {
					t.Errorf("known pods = %v after the tombstone, want none", got)
				}
			})
		})
	}
}

// The registry would not tell an informer that keeps whole pods from one that
// trims them, but memory would.
func TestInformers_KeepTrimmedPods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", Labels: map[string]string{"eurekube.io/service": "web", "other": "label"}},
			Spec:       corev1.PodSpec{Volumes: []corev1.Volume{{Name: "data"}}},
		}
		c := synced(t, Config{Client: fake.NewClientset(pod)})
		kept := c.find(cache.NewObjectName("shop", "web-1")).pod
		if kept == nil {
			t.Fatal("the pod is not in the informer's store")
		}
		if _, ok := kept.Labels["other"]; ok || len(kept.Spec.Volumes) > 0 {
			t.Errorf("kept pod = %v, want what the convertor reads and no more", kept)
		}
	})
}

// With several namespaces each informer keeps its own pods, not everybody's.
func TestManifests_AreSortedByNamespace(t *testing.T) {
	dir := t.TempDir()
	manifest := "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: a, labels: {eurekube.io/service: web}}}\n---\n" +
		"{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: b, labels: {eurekube.io/service: web}}}\n"
	if err := os.WriteFile(filepath.Join(dir, "pods.yaml"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		c := synced(t, Config{Manifests: dir, Namespaces: []string{"a", "b"}})
		for _, s := range c.sources {
			if diff := cmp.Diff([]string{s.namespace + "/p"}, s.informer.GetStore().ListKeys()); diff != "" {
				t.Errorf("pods kept for namespace %s differ (-want +got):\n%s", s.namespace, diff)
			}
		}
	})
}

package controller_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eurekube/eurekube/controller"
)

func node(name string, labels map[string]string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
	}
}

func zoned(zone string) map[string]string {
	return map[string]string{"topology.kubernetes.io/zone": zone, "kubernetes.io/os": "linux"}
}

func fakeNodes(t *testing.T, nodes ...*metav1.PartialObjectMetadata) *metadatafake.FakeMetadataClient {
	t.Helper()
	scheme := metadatafake.NewTestScheme()
	if err := metav1.AddMetaToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	client := metadatafake.NewSimpleMetadataClient(scheme)
	for _, n := range nodes {
		if err := client.Tracker().Create(nodeResource, n, ""); err != nil {
			t.Fatal(err)
		}
	}
	return client
}

var nodeResource = corev1.SchemeGroupVersion.WithResource("nodes")

func readingNodes(client *metadatafake.FakeMetadataClient) func(*controller.Config) {
	return func(c *controller.Config) { c.Metadata = client }
}

// wantZones compares "id zone" of all instances that changed since the last
// call.
func (r *rig) wantZones(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	var got []string
	for _, app := range r.registry.Drain().Apps {
		for _, inst := range app.Instances {
			zone, ok := inst.Metadata["zone"]
			if !ok {
				zone = "none"
			}
			got = append(got, fmt.Sprintf("%s %s", inst.ID, zone))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("zones differ (-want +got):\n%s", diff)
	}
}

func TestFieldCase84_ZoneOfTheNode(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		nodes := fakeNodes(t, node("n1", zoned("eu-1a")), node("n2", nil))
		r.create(t,
			readyPod("shop", "a", "a", "10.0.0.1", setNode("n1")),
			readyPod("shop", "b", "b", "10.0.0.2", setNode("n2")),
			readyPod("shop", "c", "c", "10.0.0.3", setNode("n1"), setLabel("topology.kubernetes.io/zone", "mine")))
		r.run(t, readingNodes(nodes))
		r.wantSynced(t, true)
		r.wantZones(t, "10.0.0.1:a:8080 eu-1a", "10.0.0.2:b:8080 none", "10.0.0.3:c:8080 mine")

		if err := nodes.Tracker().Update(nodeResource, node("n2", zoned("eu-1b")), ""); err != nil {
			t.Fatal(err)
		}
		r.wantZones(t, "10.0.0.2:b:8080 eu-1b")

		if err := nodes.Tracker().Create(nodeResource, node("n3", zoned("eu-1c")), ""); err != nil {
			t.Fatal(err)
		}
		r.wantZones(t)
		r.create(t, readyPod("shop", "d", "d", "10.0.0.4", setNode("n3")))
		r.wantZones(t, "10.0.0.4:d:8080 eu-1c")
	})
}

func TestFieldCase84_ForbiddenNodesCostTheZoneOnly(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		nodes := fakeNodes(t, node("n1", zoned("eu-1a")))
		var granted atomic.Bool
		failure(func(clienttesting.Action) error {
			if !granted.Load() {
				return forbidden("nodes")
			}
			return nil
		}).of(&nodes.Fake, "nodes")
		r.create(t, readyPod("shop", "a", "a", "10.0.0.1", setNode("n1")))
		started := time.Now()
		r.run(t, readingNodes(nodes))
		<-r.controller.Synced()
		if waited := time.Since(started); waited > 0 {
			t.Errorf("the first list waited %v for nodes that are forbidden, want 0", waited)
		}
		r.wantZones(t, "10.0.0.1:a:8080 none")

		time.Sleep(time.Hour)
		r.wantLogged(t, 1, "forbade to watch nodes")
		granted.Store(true)
		time.Sleep(30 * time.Second)
		r.wantZones(t, "10.0.0.1:a:8080 eu-1a")
	})
}

func TestFieldCase84_NodesThatNeverComeAreNotWaitedForLong(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		nodes := fakeNodes(t)
		failure(func(clienttesting.Action) error { return fmt.Errorf("no route to host") }).of(&nodes.Fake, "nodes")
		r.create(t, readyPod("shop", "a", "a", "10.0.0.1", setNode("n1")))
		started := time.Now()
		r.run(t, readingNodes(nodes))
		<-r.controller.Synced()
		if waited, want := time.Since(started), 5*time.Second; waited != want {
			t.Errorf("the first list waited %v for nodes, want %v", waited, want)
		}
		r.wantZones(t, "10.0.0.1:a:8080 none")
	})
}

func TestNodes_AreNotReadWithNamespaces(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		nodes := fakeNodes(t, node("n1", zoned("eu-1a")))
		r.create(t, readyPod("shop", "a", "a", "10.0.0.1", setNode("n1")))
		r.run(t, func(c *controller.Config) { c.Metadata, c.Namespaces = nodes, []string{"shop"} })
		r.wantZones(t, "10.0.0.1:a:8080 none")
		if actions := nodes.Actions(); len(actions) != 0 {
			t.Errorf("nodes were asked for: %v, want no request at cluster scope", actions)
		}
	})
}

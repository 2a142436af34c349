package apiserver_test

import (
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eurekube/eurekube/bench/apiserver"
	"github.com/eurekube/eurekube/bench/fleet"
)

// client talks to a server of its own, in the given media type.
func client(t *testing.T, mediaType string) (*apiserver.Server, kubernetes.Interface) {
	t.Helper()
	server := apiserver.New()
	listening := httptest.NewServer(server)
	t.Cleanup(func() {
		listening.CloseClientConnections() // watches end only with their connections
		listening.Close()
	})
	file := filepath.Join(t.TempDir(), "kubeconfig")
	if err := apiserver.WriteKubeconfig(file, listening.URL); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", file)
	if err != nil {
		t.Fatal(err)
	}
	config.ContentType = mediaType
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return server, clientset
}

func TestServer_ListsTheSelectedPods(t *testing.T) {
	for _, mediaType := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
		t.Run(mediaType, func(t *testing.T) {
			server, clientset := client(t, mediaType)
			pod := fleet.Pod(0)
			server.Set(pod)
			other := fleet.Pod(1)
			other.Labels = nil
			server.Set(other)

			got, err := clientset.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{LabelSelector: "eurekube.io/service"})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Items) != 1 {
				t.Fatalf("%d pods listed, want 1", len(got.Items))
			}
			if diff := cmp.Diff(pod.Status.PodIP, got.Items[0].Status.PodIP); diff != "" {
				t.Errorf("listed pod (-want +got)\n%s", diff)
			}
		})
	}
}

func TestServer_FeedsAnInformer(t *testing.T) {
	for _, mediaType := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
		t.Run(mediaType, func(t *testing.T) {
			server, clientset := client(t, mediaType)
			const pods = 30
			for i := range pods {
				server.Set(fleet.Pod(i))
			}
			factory := informers.NewSharedInformerFactory(clientset, 0)
			informer := factory.Core().V1().Pods().Informer()
			updates := make(chan *corev1.Pod, 1)
			if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
				UpdateFunc: func(_, pod any) { updates <- pod.(*corev1.Pod) },
			}); err != nil {
				t.Fatal(err)
			}
			factory.StartWithContext(t.Context())
			if !cache.WaitForCacheSync(t.Context().Done(), informer.HasSynced) {
				t.Fatal("the informer did not sync")
			}
			if got := len(informer.GetStore().List()); got != pods {
				t.Errorf("%d pods in the first list, want %d", got, pods)
			}

			changed := fleet.WithReady(fleet.Pod(7), false, time.Now())
			server.Set(changed)
			got := <-updates
			if got.Name != changed.Name || got.Status.Conditions[2].Status != corev1.ConditionFalse {
				t.Errorf("update of %s with conditions %v, want %s unready", got.Name, got.Status.Conditions, changed.Name)
			}
		})
	}
}

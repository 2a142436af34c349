package app

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	metadatafake "k8s.io/client-go/metadata/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/internal/contact"
	"github.com/eurekube/eurekube/internal/httpserver"
)

// deltaWindow is when a change has surely left the delta: after three minutes
// and the next sweep.
const deltaWindow = 3*time.Minute + 6*time.Second

// rig is the whole program between a fake cluster and its two handlers. A test
// changes pods and reads answers; nothing between the two is replaced.
type rig struct {
	*testing.T
	cluster *fake.Clientset
	nodes   *metadatafake.FakeMetadataClient
	api     http.Handler
	admin   http.Handler

	timeouts httpserver.Timeouts // that its flags give a server of api
	callback httpserver.Config   // of the server of the bridge, if it is on
}

// inBubble runs test in a bubble of fake time, with a cluster that has no pods
// and a program that does not run yet.
func inBubble(t *testing.T, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		scheme := metadatafake.NewTestScheme()
		if err := metav1.AddMetaToScheme(scheme); err != nil {
			t.Fatal(err)
		}
		test(&rig{T: t, cluster: fakeCluster(), nodes: metadatafake.NewSimpleMetadataClient(scheme)})
	})
}

// serve starts the program with the flags args until the end of the test, and
// settles.
func (r *rig) serve(args ...string) {
	r.Helper()
	r.start(source{client: r.cluster, metadata: r.nodes, contact: contact.New()}, args)
	r.settle()
}

// serveManifests is serve on a directory, without a cluster.
func (r *rig) serveManifests(dir string, args ...string) {
	r.Helper()
	r.start(source{}, append(args, "--manifests="+dir))
	r.settle()
}

// start returns at once, when the program may know nothing yet.
func (r *rig) start(src source, args []string) {
	r.Helper()
	metrics := prometheus.NewRegistry()
	o := parse(r.T, args, nil)
	p, err := newParts(o, src, metrics)
	if err != nil {
		r.Fatal(err)
	}
	r.api, r.admin, r.timeouts = p.api, p.adminPort(metrics).Handler(), o.timeouts()
	if p.callback != nil {
		r.callback = p.callbackServer(o)
	}

	logger := ktesting.NewLogger(r.T, ktesting.NewConfig())
	ctx, stop := context.WithCancel(klog.NewContext(context.Background(), logger))
	actors, ctx := errgroup.WithContext(ctx)
	actors.Go(func() error { return p.controller.Run(ctx) })
	actors.Go(func() error { return p.publisher.Run(ctx) })
	for _, run := range p.writing {
		actors.Go(func() error { return run(ctx) })
	}
	r.Cleanup(func() {
		stop()
		if err := actors.Wait(); err != nil {
			r.Errorf("the program ended with %v, want nil", err)
		}
	})
}

// settle lets the second pass in which every change has to be served.
func (r *rig) settle() { r.pass(time.Second) }

// pass lets fake time pass, and what it wakes come to rest.
func (r *rig) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// create adds pods to the cluster and settles.
func (r *rig) create(pods ...*corev1.Pod) {
	r.Helper()
	for _, p := range pods {
		if _, err := r.cluster.CoreV1().Pods(p.Namespace).Create(r.Context(), p.DeepCopy(), metav1.CreateOptions{}); err != nil {
			r.Fatal(err)
		}
	}
	r.settle()
}

// change edits the pod, here and in the cluster, and settles.
func (r *rig) change(p *corev1.Pod, edits ...edit) {
	r.Helper()
	for _, e := range edits {
		e(p)
	}
	if _, err := r.cluster.CoreV1().Pods(p.Namespace).Update(r.Context(), p.DeepCopy(), metav1.UpdateOptions{}); err != nil {
		r.Fatal(err)
	}
	r.settle()
}

// remove takes pods out of the cluster and settles.
func (r *rig) remove(pods ...*corev1.Pod) {
	r.Helper()
	for _, p := range pods {
		if err := r.cluster.CoreV1().Pods(p.Namespace).Delete(r.Context(), p.Name, metav1.DeleteOptions{}); err != nil {
			r.Fatal(err)
		}
	}
	r.settle()
}

// fakeCluster is a fake clientset whose watches select by label as a real API
// server's do: for the watcher a pod that loses the label is deleted, and one
// that gains it is added.
func fakeCluster() *fake.Clientset {
	cluster := fake.NewClientset()
	cluster.PrependWatchReactor("pods", func(action clienttesting.Action) (bool, watch.Interface, error) {
		options := action.(clienttesting.WatchActionImpl).ListOptions
		selector, err := labels.Parse(options.LabelSelector)
		if err != nil {
			return true, nil, err
		}
		all, err := cluster.Tracker().Watch(action.GetResource(), action.GetNamespace(), options)
		if err != nil {
			return true, nil, err
		}
		return true, watch.Filter(all, func(e watch.Event) (watch.Event, bool) {
			p, ok := e.Object.(*corev1.Pod)
			selected := ok && selector.Matches(labels.Set(p.Labels))
			if ok && !selected && e.Type == watch.Modified {
				e.Type = watch.Deleted
				return e, true
			}
			return e, selected || !ok
		}), nil
	})
	return cluster
}

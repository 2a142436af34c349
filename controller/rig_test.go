package controller_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eurekube/eurekube/controller"
	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka/registry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a controller between a fake API server and a real registry.
type rig struct {
	client     *fake.Clientset
	open       *openWatches
	registry   *registry.Registry
	controller *controller.Controller
	metrics    *prometheus.Registry

	instances map[string][]string // of each app, as last drained
	recent    map[string][]string
	stop      func()
}

// inBubble runs test in a bubble of fake time with a rig that is not running.
func inBubble(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{open: &openWatches{}}
		r.client = fakeServer(r.open)
		r.anotherProcess()
		test(t, r)
	})
}

// anotherProcess forgets all that a process has in memory; the API server stays.
func (r *rig) anotherProcess() {
	r.registry, r.metrics = registry.New(time.Now), prometheus.NewRegistry()
	r.instances, r.recent = make(map[string][]string), make(map[string][]string)
}

// replica is one more process on the same API server.
func (r *rig) replica() *rig {
	other := &rig{client: r.client, open: r.open}
	other.anotherProcess()
	return other
}

// run starts a controller, edited by configure if that is not nil, and stops
// it at the end of the test.
func (r *rig) run(t *testing.T, configure func(*controller.Config)) {
	t.Helper()
	config := controller.Config{
		Client:     r.client,
		Rules:      convertor.Rules{Prefixes: []string{convertor.PrefixEurekube, convertor.PrefixChoerodon}},
		Registry:   r.registry,
		Registerer: r.metrics,
	}
	if configure != nil {
		configure(&config)
	}
	c, err := controller.New(config)
	if err != nil {
		t.Fatalf("New() = %v", err)
	}
	r.controller = c
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	r.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run() = %v, want nil after the end of its context", err)
		}
	})
	t.Cleanup(r.stop)
	synctest.Wait()
}

// drain takes over what the registry has to tell.
func (r *rig) drain() {
	synctest.Wait()
	for _, app := range r.registry.Drain().Apps {
		if app.ListedChanged {
			r.instances[app.Name] = nil
			for _, inst := range app.Instances {
				r.instances[app.Name] = append(r.instances[app.Name], fmt.Sprintf("%s %s", inst.ID, inst.Status))
			}
		}
		r.recent[app.Name] = nil
		for _, inst := range app.Recent {
			r.recent[app.Name] = append(r.recent[app.Name], fmt.Sprintf("%s %s", inst.ActionType, inst.ID))
		}
	}
}

// wantListed compares all listed instances, as "id status" in order.
func (r *rig) wantListed(t *testing.T, want ...string) {
	t.Helper()
	r.drain()
	var got []string
	for _, instances := range r.instances {
		got = append(got, instances...)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("listed instances differ (-want +got):\n%s", diff)
	}
}

// wantStates compares what is explained of each pod, as "namespace/name
// reason" or "namespace/name listed".
func (r *rig) wantStates(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	var got []string
	for _, p := range r.controller.Pods() {
		state := string(p.Reason)
		if p.Listed {
			state = "listed"
		}
		got = append(got, fmt.Sprintf("%s/%s %s", p.Namespace, p.Name, state))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("explained pods differ (-want +got):\n%s", diff)
	}
}

// wantSynced compares whether the first complete list was processed.
func (r *rig) wantSynced(t *testing.T, want bool) {
	t.Helper()
	synctest.Wait()
	got := false
	select {
	case <-r.controller.Synced():
		got = true
	default:
	}
	if got != want {
		t.Errorf("synced = %v, want %v", got, want)
	}
}

func (r *rig) create(t *testing.T, pods ...*corev1.Pod) {
	t.Helper()
	for _, pod := range pods {
		if _, err := r.client.CoreV1().Pods(pod.Namespace).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	synctest.Wait()
}

func (r *rig) update(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	if _, err := r.client.CoreV1().Pods(pod.Namespace).Update(t.Context(), pod, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

func (r *rig) delete(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	if err := r.client.CoreV1().Pods(pod.Namespace).Delete(t.Context(), pod.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

// openWatches are the watches of pods that a fake server has granted.
type openWatches struct {
	mu      sync.Mutex
	watches []*watch.RaceFreeFakeWatcher
}

func (o *openWatches) add(w watch.Interface) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.watches = append(o.watches, w.(*watch.RaceFreeFakeWatcher))
}

// end ends all watches as a server does after some minutes.
func (o *openWatches) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.watches {
		w.Stop()
	}
}

// expire ends all watches with 410 Gone, so that watchers have to list anew.
func (o *openWatches) expire() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, w := range o.watches {
		w.Error(&apierrors.NewResourceExpired("too old").ErrStatus)
	}
}

// fakeServer is a fake clientset whose watches select by label, as a real API
// server's do: a pod that loses the label is deleted for the watcher.
func fakeServer(open *openWatches) *fake.Clientset {
	client := fake.NewClientset()
	client.PrependWatchReactor("pods", func(action clienttesting.Action) (bool, watch.Interface, error) {
		options := action.(clienttesting.WatchActionImpl).ListOptions
		selector, err := labels.Parse(options.LabelSelector)
		if err != nil {
			return true, nil, err
		}
		w, err := client.Tracker().Watch(action.GetResource(), action.GetNamespace(), options)
		if err != nil {
			return true, nil, err
		}
		open.add(w)
		return true, newSelectedWatch(w, selector), nil
	})
	return client
}

// selectedWatch passes on what a selector finds.
type selectedWatch struct {
	watch.Interface
	events  chan watch.Event
	stopped chan struct{}
	stop    sync.Once
}

func newSelectedWatch(all watch.Interface, selector labels.Selector) *selectedWatch {
	w := &selectedWatch{Interface: all, events: make(chan watch.Event), stopped: make(chan struct{})}
	go func() {
		defer close(w.events)
		for e := range all.ResultChan() {
			if pod, ok := e.Object.(*corev1.Pod); ok && !selector.Matches(labels.Set(pod.Labels)) {
				if e.Type != watch.Modified {
					continue
				}
				e.Type = watch.Deleted
			}
			select {
			case w.events <- e:
			case <-w.stopped:
				return
			}
		}
	}()
	return w
}

func (w *selectedWatch) ResultChan() <-chan watch.Event { return w.events }

func (w *selectedWatch) Stop() {
	w.stop.Do(func() { close(w.stopped) })
	w.Interface.Stop()
}

// readyPod is a pod that is listed as address:service:8080.
func readyPod(namespace, name, service, address string, edits ...func(*corev1.Pod)) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace,
			Name:      name,
			UID:       types.UID("uid-of-" + name),
			Labels:    map[string]string{"eurekube.io/service": service},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name:  "app",
			Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: corev1.ProtocolTCP}},
		}}},
		Status: corev1.PodStatus{
			Phase:      corev1.PodRunning,
			PodIP:      address,
			PodIPs:     []corev1.PodIP{{IP: address}},
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
	for _, edit := range edits {
		edit(pod)
	}
	return pod
}

func setReady(status corev1.ConditionStatus) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		pod.Status.Conditions = []corev1.PodCondition{
			{Type: corev1.ContainersReady, Status: corev1.ConditionTrue},
			{Type: corev1.PodReady, Status: status},
		}
	}
}

func setLabel(key, value string) func(*corev1.Pod) {
	return func(pod *corev1.Pod) { pod.Labels[key] = value }
}

func setNode(name string) func(*corev1.Pod) {
	return func(pod *corev1.Pod) { pod.Spec.NodeName = name }
}

// edited is a copy of pod with the edits.
func edited(pod *corev1.Pod, edits ...func(*corev1.Pod)) *corev1.Pod {
	pod = pod.DeepCopy()
	for _, edit := range edits {
		edit(pod)
	}
	return pod
}

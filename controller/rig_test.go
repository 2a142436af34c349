package controller_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

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
	logs      ktesting.Buffer
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
	logger := ktesting.NewLogger(t, ktesting.NewConfig(ktesting.BufferLogs(true)))
	r.logs = logger.GetSink().(ktesting.Underlier).GetBuffer()
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), logger))
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

// wantLogged compares how often words were logged in one line.
func (r *rig) wantLogged(t *testing.T, want int, words ...string) {
	t.Helper()
	synctest.Wait()
	got := 0
	for line := range strings.Lines(r.logs.String()) {
		has := func(word string) bool { return strings.Contains(line, word) }
		if !slices.ContainsFunc(words, func(word string) bool { return !has(word) }) {
			got++
		}
	}
	if got != want {
		t.Errorf("%q was logged %d times, want %d, in:\n%s", words, got, want, r.logs.String())
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

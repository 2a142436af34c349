package controller_test

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
)

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

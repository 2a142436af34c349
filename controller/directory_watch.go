package controller

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// pods lists and watches the directory's pods of s in the way of an API
// server, so that the very same informer, queue and workers serve both.
func (d *directory) pods(s *source) cache.ListerWatcher {
	return &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
			v, err := d.firstView(ctx)
			if err != nil {
				return nil, err
			}
			list := &corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: v.resourceVersion()}}
			for _, e := range changes(nil, v.of(s), v.resourceVersion()) {
				list.Items = append(list.Items, *e.Object.(*corev1.Pod))
			}
			return list, nil
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return d.watch(ctx, s, options)
		},
	}
}

// watch streams what changes after the view that the options name, or
// everything first when they ask for that.
func (d *directory) watch(ctx context.Context, s *source, options metav1.ListOptions) (watch.Interface, error) {
	v, err := d.firstView(ctx)
	if err != nil {
		return nil, err
	}
	w := &directoryWatch{
		source:  s,
		view:    v,
		events:  make(chan watch.Event),
		stopped: make(chan struct{}),
		initial: options.SendInitialEvents != nil && *options.SendInitialEvents,
	}
	if !w.initial {
		if options.ResourceVersion != v.resourceVersion() {
			// Views are not kept, so the reflector has to list anew.
			return nil, apierrors.NewResourceExpired("the directory changed since resource version " + options.ResourceVersion)
		}
		w.sent = v.of(s)
	}
	ctx, w.cancel = context.WithCancel(ctx)
	go w.stream(ctx, d)
	return w, nil
}

// firstView is the latest view, once there is one.
func (d *directory) firstView(ctx context.Context) (*view, error) {
	v := d.view.Load()
	for v.version == 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-v.replaced:
			v = d.view.Load()
		}
	}
	return v, nil
}

func (v *view) resourceVersion() string {
	return strconv.FormatUint(v.version, 10)
}

// of is the pods that a selector of s finds.
func (v *view) of(s *source) map[cache.ObjectName]*corev1.Pod {
	selected := make(map[cache.ObjectName]*corev1.Pod)
	for name, pod := range v.pods {
		_, labelled := pod.Labels[s.selector()]
		if labelled && (s.namespace == metav1.NamespaceAll || s.namespace == name.Namespace) {
			selected[name] = pod
		}
	}
	return selected
}

// directoryWatch is one open watch. A slow reader misses no outcome, only what
// came and went in between.
type directoryWatch struct {
	source  *source
	view    *view
	sent    map[cache.ObjectName]*corev1.Pod // what the reader knows
	initial bool                             // the end of the first list is to be marked
	events  chan watch.Event
	cancel  context.CancelFunc
	stopped chan struct{}
}

// ResultChan implements [watch.Interface].
func (w *directoryWatch) ResultChan() <-chan watch.Event { return w.events }

// Stop implements [watch.Interface]. It returns when the stream has ended.
func (w *directoryWatch) Stop() {
	w.cancel()
	<-w.stopped
}

func (w *directoryWatch) stream(ctx context.Context, d *directory) {
	defer close(w.stopped)
	defer close(w.events)
	for {
		now := w.view.of(w.source)
		events := changes(w.sent, now, w.view.resourceVersion())
		if w.initial {
			events = append(events, endOfFirstList(w.view))
		}
		for _, e := range events {
			select {
			case w.events <- e:
			case <-ctx.Done():
				return
			}
		}
		w.sent, w.initial = now, false
		select {
		case <-w.view.replaced:
			w.view = d.view.Load()
		case <-ctx.Done():
			return
		}
	}
}

// endOfFirstList is the mark that a reflector waits for after it asked for a
// streamed list.
func endOfFirstList(v *view) watch.Event {
	return watch.Event{Type: watch.Bookmark, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		ResourceVersion: v.resourceVersion(),
		Annotations:     map[string]string{metav1.InitialEventsAnnotationKey: "true"},
	}}}
}

// changes leads from old to now, by name. A file that was read anew has new
// pods, so identity tells what was edited. Events carry copies, since informers
// trim what they get.
func changes(old, now map[cache.ObjectName]*corev1.Pod, resourceVersion string) []watch.Event {
	var events []watch.Event
	add := func(t watch.EventType, pod *corev1.Pod) {
		pod = pod.DeepCopy()
		pod.ResourceVersion = resourceVersion
		events = append(events, watch.Event{Type: t, Object: pod})
	}
	for name, pod := range old {
		if now[name] == nil {
			add(watch.Deleted, pod)
		}
	}
	for name, pod := range now {
		switch old[name] {
		case pod:
		case nil:
			add(watch.Added, pod)
		default:
			add(watch.Modified, pod)
		}
	}
	slices.SortFunc(events, func(a, b watch.Event) int {
		return cmp.Compare(nameOfEvent(a), nameOfEvent(b))
	})
	return events
}

func nameOfEvent(e watch.Event) string {
	return cache.MetaObjectToName(e.Object.(*corev1.Pod)).String()
}

package controller

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/cache/synctrack"

	"github.com/eurekube/eurekube/convertor"
)

// origin is where a source's pods come from.
type origin string

const (
	originAPIServer origin = "API server"
	originManifests origin = "manifests"
)

// nodeIndex finds the pods of a node.
const nodeIndex = "node"

// source is the pods of one origin that carry one prefix's service label in
// one namespace.
type source struct {
	origin    origin
	namespace string // metav1.NamespaceAll for all
	prefix    string
	informer  cache.SharedIndexInformer
	// listed is done when the first list was handed to the queue, first when
	// it was processed.
	listed cache.DoneChecker
	first  *synctrack.AsyncTracker[cache.ObjectName]
}

func newSource(from origin, namespace, prefix string) *source {
	return &source{
		origin:    from,
		namespace: namespace,
		prefix:    prefix,
		first:     synctrack.NewAsyncTracker[cache.ObjectName](prefix),
	}
}

// selector is the label selector that opts pods in.
func (s *source) selector() string {
	return s.prefix + "/" + convertor.NameService
}

// get is the pod as the source knows it now, nil when it does not.
func (s *source) get(name cache.ObjectName) *corev1.Pod {
	obj, exists, err := s.informer.GetStore().GetByKey(name.String())
	if err != nil || !exists {
		return nil // the informer's store cannot fail
	}
	return obj.(*corev1.Pod)
}

// addSource gives s an informer over lw and adds it to the controller.
func (c *Controller) addSource(s *source, lw cache.ListerWatcher, prefixes []string) error {
	indexers := cache.Indexers{}
	if c.nodes != nil {
		indexers[nodeIndex] = func(obj any) ([]string, error) {
			return []string{obj.(*corev1.Pod).Spec.NodeName}, nil
		}
	}
	// No resync: it would only queue again what the workers know already, and
	// nothing outside the pod decides what a pod becomes, zones apart, which
	// queue for themselves.
	s.informer = cache.NewSharedIndexInformerWithOptions(lw, &corev1.Pod{}, cache.SharedIndexInformerOptions{
		Indexers:          indexers,
		ObjectDescription: fmt.Sprintf("pods of %s labelled %s", s.origin, s.selector()),
	})
	if err := s.informer.SetTransform(trimmer(prefixes)); err != nil {
		return fmt.Errorf("trim pods of %s: %w", s.selector(), err)
	}
	registration, err := s.informer.AddEventHandler(c.handler(s))
	if err != nil {
		return fmt.Errorf("follow pods of %s: %w", s.selector(), err)
	}
	s.listed = registration.HasSyncedChecker()
	c.sources = append(c.sources, s)
	c.inNamespace[s.namespace] = append(c.inNamespace[s.namespace], s)
	c.watches.add(s)
	return nil
}

// handler queues the names of pods that changed, and nothing else.
func (c *Controller) handler(s *source) cache.ResourceEventHandler {
	enqueue := func(obj any, inFirstList bool) {
		name, err := cache.DeletionHandlingObjectToName(obj)
		if err != nil {
			utilruntime.HandleErrorWithContext(context.Background(), err, "Dropped an object without a name", "source", s.origin)
			return
		}
		if inFirstList {
			s.first.Start(name)
		} else {
			c.latency.arrived(name)
		}
		c.queue.Add(name)
	}
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    enqueue,
		UpdateFunc: func(_, obj any) { enqueue(obj, false) },
		DeleteFunc: func(obj any) { enqueue(obj, false) },
	}
}

// serverPods lists and watches the pods of s at the API server, which does the
// selecting, so that memory follows the pods that opted in.
func (c *Controller) serverPods(client kubernetes.Interface, s *source) cache.ListerWatcher {
	pods := client.CoreV1().Pods(s.namespace)
	report := func(ctx context.Context, err error) { c.watches.report(ctx, s, err) }
	lw := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.LabelSelector = s.selector()
			return persist(ctx, report, func() (runtime.Object, error) { return pods.List(ctx, options) })
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.LabelSelector = s.selector()
			return persist(ctx, report, func() (watch.Interface, error) { return pods.Watch(ctx, options) })
		},
	}
	return cache.ToListWatcherWithWatchListSemantics(lw, client)
}

// sourcesOf are the sources that may know pods of a namespace.
func (c *Controller) sourcesOf(namespace string) []*source {
	if all, ok := c.inNamespace[metav1.NamespaceAll]; ok {
		return all
	}
	return c.inNamespace[namespace]
}

// enqueueNode queues the pods of a node whose zone changed.
func (c *Controller) enqueueNode(node string) {
	for _, s := range c.sources {
		keys, err := s.informer.GetIndexer().IndexKeys(nodeIndex, node)
		if err != nil {
			continue // the index exists whenever nodes are read
		}
		for _, key := range slices.Sorted(slices.Values(keys)) {
			name, err := cache.ParseObjectName(key)
			if err == nil { // a key of the informer's own store always parses
				c.queue.Add(name)
			}
		}
	}
}

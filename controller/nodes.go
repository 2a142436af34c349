package controller

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/convertor"
)

// nodes knows the zone of every node, as far as nodes may be read (field case
// 84).
type nodes struct {
	informer cache.SharedIndexInformer
	refusal  chan struct{} // closed at the first refusal

	mu      sync.Mutex // guards all below
	refused bool       // by the latest list or watch
	once    sync.Once  // closes refusal
}

// newNodes makes an informer of nodes' metadata. It calls changed with the name
// of a node whose zone appeared, changed or went.
func newNodes(client metadata.Interface, changed func(node string)) (*nodes, error) {
	n := &nodes{refusal: make(chan struct{})}
	resource := client.Resource(corev1.SchemeGroupVersion.WithResource("nodes"))
	lw := &cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return persist(ctx, n.report, func() (runtime.Object, error) { return resource.List(ctx, options) })
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return persist(ctx, n.report, func() (watch.Interface, error) { return resource.Watch(ctx, options) })
		},
	}
	n.informer = cache.NewSharedIndexInformerWithOptions(
		cache.ToListWatcherWithWatchListSemantics(lw, client),
		&metav1.PartialObjectMetadata{},
		cache.SharedIndexInformerOptions{ObjectDescription: "metadata of nodes"},
	)
	if err := n.informer.SetTransform(trimNode); err != nil {
		return nil, fmt.Errorf("trim nodes: %w", err)
	}
	_, err := n.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { changed(nameOf(obj)) },
		UpdateFunc: func(old, obj any) {
			if zoneOf(old) != zoneOf(obj) {
				changed(nameOf(obj))
			}
		},
		DeleteFunc: func(obj any) { changed(nameOf(obj)) },
	})
	if err != nil {
		return nil, fmt.Errorf("follow nodes: %w", err)
	}
	return n, nil
}

// trimNode keeps a node's name and zone: a node changes every few seconds and
// its metadata can be long.
func trimNode(obj any) (any, error) {
	node, ok := obj.(*metav1.PartialObjectMetadata)
	if !ok {
		return obj, nil // a tombstone: the node in it was trimmed on its way in
	}
	slim := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name:            node.Name,
		UID:             node.UID,
		ResourceVersion: node.ResourceVersion,
	}}
	if zone, ok := node.Labels[convertor.ZoneLabel]; ok {
		slim.Labels = map[string]string{convertor.ZoneLabel: zone}
	}
	return slim, nil
}

func zoneOf(node any) string {
	return node.(*metav1.PartialObjectMetadata).Labels[convertor.ZoneLabel]
}

func nameOf(node any) string {
	name, err := cache.DeletionHandlingObjectToName(node)
	if err != nil {
		return "" // the informer hands out nothing without a name
	}
	return name.Name
}

// zone is the zone of a node, empty when unknown. Any goroutine may call it.
func (n *nodes) zone(node string) string {
	obj, exists, err := n.informer.GetStore().GetByKey(node)
	if err != nil || !exists {
		return ""
	}
	return zoneOf(obj)
}

func (n *nodes) run(ctx context.Context) {
	n.informer.RunWithContext(ctx)
}

// report speaks when the permission to read nodes changes. That the API server
// is away the watches of pods say already.
func (n *nodes) report(ctx context.Context, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	logger := klog.FromContext(ctx)
	switch {
	case apierrors.IsForbidden(err):
		if !n.refused {
			logger.Info("API server forbade to watch nodes, instances whose pod has no zone label have no zone", "err", err)
		}
		n.refused = true
		n.once.Do(func() { close(n.refusal) })
	case err == nil:
		if n.refused {
			logger.Info("API server permitted to watch nodes again")
		}
		n.refused = false
	}
}

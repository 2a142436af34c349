package controller

import (
	"context"
	"errors"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
)

// listerWatcher follows the one ConfigMap. The field selector is what lets a Role
// that names the object permit list and watch.
func (o *overrides) listerWatcher(client kubernetes.Interface) cache.ListerWatcher {
	report := func(ctx context.Context, err error) { o.faults.report(ctx, "watch", err) }
	selector := fields.OneTermEqualSelector(metav1.ObjectNameField, o.name.Name).String()
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = selector
			return persist(ctx, report, func() (runtime.Object, error) { return o.client.List(ctx, options) })
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = selector
			return persist(ctx, report, func() (watch.Interface, error) { return o.client.Watch(ctx, options) })
		},
	}, client)
}

// faults speaks when keeping the overrides begins to fail and when it works
// again. That the API server is away the watches of pods say already.
type faults struct {
	name types.NamespacedName

	mu      sync.Mutex // guards failing
	failing map[string]bool
}

func newFaults(name types.NamespacedName) *faults {
	return &faults{name: name, failing: make(map[string]bool)}
}

// report notes the outcome of doing something with the ConfigMap.
func (f *faults) report(ctx context.Context, action string, err error) {
	if err != nil && (away(err) || apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err)) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	logger := klog.LoggerWithValues(klog.FromContext(ctx), "configMap", f.name, "action", action)
	switch {
	case err != nil && !f.failing[action]:
		logger.Error(err, "Overrides of pods could not be kept, they end with this process")
	case err == nil && f.failing[action]:
		logger.Info("Overrides of pods were kept again")
	}
	f.failing[action] = err != nil
}

// away reports whether err says nothing of the object: there was no answer, or
// one of a server that is not well.
func away(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return !errors.As(err, new(*overridesError))
	}
	const firstServerError = 500
	return status.Status().Code >= firstServerError
}

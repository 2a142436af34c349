package controller

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// shareTimeout bounds one reading and writing of the ConfigMap.
const shareTimeout = 10 * time.Second

// overrides keeps the overrides of pods in one ConfigMap, so that they outlive
// this process (field case 94) and reach its replicas. One goroutine shares them:
// it reads the ConfigMap, takes over what others changed since the last time, and
// writes what was changed here. Nothing that a client repeats, such as heartbeats,
// leads to a write.
type overrides struct {
	registry *registry.Registry
	client   typedcorev1.ConfigMapInterface
	name     types.NamespacedName
	informer cache.SharedIndexInformer
	changed  chan struct{} // capacity one: the ConfigMap may differ from what is known of it
	read     chan struct{} // closed once the API server said what it keeps, or that it does not say

	// For the sharing goroutine alone:
	shared   map[string]eureka.Status // what registry and ConfigMap last had in common
	readOnce sync.Once                // closes read

	faults *faults
}

func newOverrides(client kubernetes.Interface, name types.NamespacedName, reg *registry.Registry) (*overrides, error) {
	o := &overrides{
		registry: reg,
		client:   client.CoreV1().ConfigMaps(name.Namespace),
		name:     name,
		changed:  make(chan struct{}, 1),
		read:     make(chan struct{}),
		shared:   make(map[string]eureka.Status),
		faults:   newFaults(name),
	}
	o.informer = cache.NewSharedIndexInformerWithOptions(o.listerWatcher(client), &corev1.ConfigMap{}, cache.SharedIndexInformerOptions{
		ObjectDescription: "the ConfigMap of overrides",
	})
	wake := func(any) {
		select {
		case o.changed <- struct{}{}:
		default:
		}
	}
	_, err := o.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    wake,
		UpdateFunc: func(_, obj any) { wake(obj) },
		DeleteFunc: wake,
	})
	if err != nil {
		return nil, fmt.Errorf("follow the ConfigMap of overrides: %w", err)
	}
	return o, nil
}

func (o *overrides) run(ctx context.Context) {
	var watching sync.WaitGroup
	watching.Go(func() { o.informer.RunWithContext(ctx) })
	for {
		o.shareUntilDone(ctx)
		select {
		case <-ctx.Done():
			watching.Wait()
			return
		case <-o.changed:
		case <-o.registry.OverridesChanged():
		}
	}
}

// shareUntilDone repeats share until it succeeds: the API server may be away, or
// another replica may have written first. While it may not be done at all, the
// overrides live on in memory, and a Role that is granted later heals it.
func (o *overrides) shareUntilDone(ctx context.Context) {
	backoff := wait.Backoff{Duration: firstRetry, Factor: 2, Jitter: 0.2, Steps: 10, Cap: lastRetry}
	for {
		err := o.share(ctx)
		o.faults.report(ctx, "share", err)
		if err == nil || !away(err) {
			o.readOnce.Do(func() { close(o.read) })
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		select {
		case <-ctx.Done():
		case <-o.changed:
		case <-time.After(backoff.Step()):
		}
	}
}

// share brings registry and ConfigMap to the same overrides. It asks the API
// server itself and not the informer, which may lag behind our own last write and
// would have it taken back.
func (o *overrides) share(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, shareTimeout)
	defer cancel()
	found, err := o.client.Get(ctx, o.name.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		found, err = nil, nil
	}
	if err != nil {
		return err
	}
	kept, ok, err := keptIn(found)
	if err != nil {
		return err
	}
	if !ok {
		// Somebody deleted the ConfigMap, or there never was one. What it held
		// was not ended by that: an instance that is out of service must not be
		// called because of an object that got lost.
		kept = maps.Clone(o.shared)
	}
	all := o.merge(kept)
	if maps.Equal(all, kept) && (ok || len(all) == 0) {
		o.shared = all
		return nil
	}
	if err := o.write(ctx, found, all); err != nil {
		return err
	}
	o.shared = all
	return nil
}

// merge takes over what others changed in kept and returns it with what was
// changed here. Of an override that both changed, ours counts, as the later one
// to be written. What is taken over is shared from then on, even if the write
// after it fails: it must not pass for a change of ours the next time.
func (o *overrides) merge(kept map[string]eureka.Status) map[string]eureka.Status {
	here, all := o.registry.PodOverrides(), maps.Clone(kept)
	podKeys := maps.Clone(o.shared)
	maps.Copy(podKeys, here)
	maps.Copy(podKeys, kept)
	for podKey := range podKeys {
		ours, theirs, was := here[podKey], kept[podKey], o.shared[podKey]
		switch {
		case ours != was:
			setOrDelete(all, podKey, ours)
		case theirs != was:
			o.registry.AdoptOverride(podKey, was, theirs)
			setOrDelete(o.shared, podKey, theirs)
		}
	}
	return all
}

func setOrDelete(overrides map[string]eureka.Status, podKey string, status eureka.Status) {
	if status == "" {
		delete(overrides, podKey)
	} else {
		overrides[podKey] = status
	}
}

// forgetAbsent drops the overrides of pods that ended while nobody looked, once
// every pod was listed. A namespace that the API server forbids is waited for:
// its pods may have overrides too.
func (o *overrides) forgetAbsent(ctx context.Context, lists *sync.WaitGroup) {
	lists.Wait()
	select {
	case <-ctx.Done():
	case <-o.read:
		if ctx.Err() == nil {
			o.registry.ForgetAbsentOverrides()
		}
	}
}

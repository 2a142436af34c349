package controller

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka/registry"
)

// workers is how many pods are reconciled at once. The work is short and does
// no I/O, so this only has to keep a few cores busy while the first list is
// processed.
const workers = 4

// Config says where pods come from and where instances go.
type Config struct {
	// Client reads pods from an API server; nil for none.
	Client kubernetes.Interface
	// Metadata reads the zones of nodes; nil for none. Nodes are cluster-wide
	// objects, so it is used only when Namespaces is empty.
	Metadata metadata.Interface
	// Namespaces are the only ones whose pods are read, from every source.
	// Empty means all, which on an API server needs a ClusterRole.
	Namespaces []string
	// Overrides names the ConfigMap of the API server in which the overrides of
	// pods outlive this process. It belongs to the replicas of one server alone.
	// Without a name, and without a Client, overrides end with the process.
	Overrides types.NamespacedName
	// PodEvents says which Events are written on the pods of Client; empty for
	// none. Host names this process in them.
	PodEvents PodEvents
	Host      string
	// Manifests is a directory of pod manifests; empty for none.
	Manifests string
	// Rules are handed to the convertor. Its Prefixes decide what is watched;
	// its Zone is replaced when nodes are read.
	Rules convertor.Rules
	// Registry receives the instances.
	Registry *registry.Registry
	// Registerer receives the metrics.
	Registerer prometheus.Registerer
	// ContactAge is the time since the API server was last heard of, for the
	// metric; nil for none.
	ContactAge func() time.Duration
}

// Controller keeps a registry in step with pods. Its methods other than Run
// may be called by many goroutines at once and at any time.
type Controller struct {
	rules    convertor.Rules
	registry *registry.Registry
	queue    workqueue.TypedInterface[cache.ObjectName]

	// sources is in the order in which a pod that several of them know is
	// looked for: the API server before manifests, then by prefix.
	sources     []*source
	inNamespace map[string][]*source
	nodes       *nodes     // nil: zones are not read
	overrides   *overrides // nil: overrides end with the process
	directory   *directory // nil: no manifests
	podEvents   *podEvents // nil: no Events are written

	watches   *watches
	explained *explained
	latency   *latency
}

// New builds a controller and registers its metrics. It neither reads nor
// starts anything.
func New(config Config) (*Controller, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}
	m := newMetrics()
	c := &Controller{
		rules:       config.Rules,
		registry:    config.Registry,
		queue:       workqueue.NewTyped[cache.ObjectName](),
		inNamespace: make(map[string][]*source),
		watches:     newWatches(m),
		explained:   newExplained(m),
		latency:     newLatency(m),
	}
	if err := m.register(config, c.unlistedByOthers); err != nil {
		return nil, err
	}
	if err := c.addFacts(config); err != nil {
		return nil, err
	}
	if config.writesPodEvents() {
		c.podEvents = newPodEvents(config, m.podEvents, c.queue.Add)
	}
	if config.Manifests != "" {
		c.directory = newDirectory(config.Manifests, config.Rules.Prefixes, config.Namespaces, m.manifestErrors)
	}
	if err := c.addSources(config); err != nil {
		return nil, err
	}
	return c, nil
}

// addFacts makes what the API server knows of pods beside the pods themselves.
func (c *Controller) addFacts(config Config) (err error) {
	if config.Client != nil && config.Metadata != nil && len(config.Namespaces) == 0 {
		if c.nodes, err = newNodes(config.Metadata, c.enqueueNode); err != nil {
			return err
		}
		c.rules.Zone = c.nodes.zone
	}
	if config.Client != nil && config.Overrides.Name != "" {
		if c.overrides, err = newOverrides(config.Client, config.Overrides, config.Registry); err != nil {
			return err
		}
	}
	return nil
}

// writesPodEvents reports whether Events are wanted and there is where to write
// them.
func (config *Config) writesPodEvents() bool {
	return config.Client != nil && config.PodEvents != "" && config.PodEvents != PodEventsNone
}

func (config *Config) validate() error {
	switch {
	case config.Client == nil && config.Manifests == "":
		return errors.New("no source of pods: neither an API server nor a directory of manifests is given")
	case len(config.Rules.Prefixes) == 0:
		return errors.New("no label prefix is given")
	case config.Registry == nil:
		return errors.New("no registry is given")
	case config.Registerer == nil:
		return errors.New("no registerer for metrics is given")
	}
	return nil
}

// addSources makes one source for each origin, namespace and label prefix.
func (c *Controller) addSources(config Config) error {
	if config.Client != nil {
		fromServer := func(s *source) cache.ListerWatcher { return c.serverPods(config.Client, s) }
		if err := c.addSourcesOf(originAPIServer, fromServer, config); err != nil {
			return err
		}
	}
	if c.directory != nil {
		return c.addSourcesOf(originManifests, c.directory.pods, config)
	}
	return nil
}

// addSourcesOf adds a source for each namespace and prefix.
func (c *Controller) addSourcesOf(from origin, pods func(*source) cache.ListerWatcher, config Config) error {
	namespaces := config.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{metav1.NamespaceAll}
	}
	for _, namespace := range namespaces {
		for _, prefix := range config.Rules.Prefixes {
			s := newSource(from, namespace, prefix)
			if err := c.addSource(s, pods(s), config.Rules.Prefixes); err != nil {
				return err
			}
		}
	}
	return nil
}

// Synced is closed once all pods that were there at the start are in the
// registry. A namespace that the API server forbids is not waited for, unless
// no other is permitted.
func (c *Controller) Synced() <-chan struct{} {
	return c.watches.synced
}

// Waiting says what Synced waits for, for people; it means nothing afterwards.
func (c *Controller) Waiting() string {
	return c.watches.waiting()
}

// Run follows pods until ctx is done and returns nil when everything that it
// started has ended. It may be called once.
func (c *Controller) Run(ctx context.Context) error {
	ctx = klog.NewContext(ctx, klog.LoggerWithName(klog.FromContext(ctx), "controller"))
	var running, lists sync.WaitGroup
	if c.directory != nil {
		running.Go(func() { c.directory.run(ctx) })
	}
	if c.nodes != nil {
		running.Go(func() { c.nodes.run(ctx) })
	}
	for _, s := range c.sources {
		running.Go(func() { s.informer.RunWithContext(ctx) })
		lists.Go(func() { c.awaitFirstList(ctx, s) })
	}
	running.Go(lists.Wait)
	if c.overrides != nil {
		running.Go(func() { c.overrides.run(ctx) })
		running.Go(func() { c.overrides.forgetAbsent(ctx, &lists) })
	}
	if c.podEvents != nil {
		running.Go(func() { c.podEvents.run(ctx) })
	}
	c.awaitFacts(ctx)
	for range workers {
		running.Go(func() { c.work(ctx) })
	}
	<-ctx.Done()
	c.queue.ShutDown()
	running.Wait()
	return nil
}

// awaitFacts returns when pods can be judged with all that is known of them.
func (c *Controller) awaitFacts(ctx context.Context) {
	listed := c.sources[0].listed
	if c.nodes != nil {
		awaitFact(ctx, listed, c.nodes.informer.HasSyncedChecker().Done(), c.nodes.refusal)
	}
	if c.overrides != nil {
		awaitFact(ctx, listed, c.overrides.read, nil)
	}
}

// awaitFirstList tells when every pod of the source's first list is in the
// registry.
func (c *Controller) awaitFirstList(ctx context.Context, s *source) {
	if !cache.WaitFor(ctx, "", s.listed) {
		return
	}
	s.first.UpstreamHasSynced()
	if cache.WaitFor(ctx, "", s.first) {
		c.watches.processed(ctx, s)
	}
}

package app

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/internal/buildinfo"
	"github.com/eurekube/eurekube/internal/contact"
)

// serve runs the program until ctx ends and its clients were drained.
func serve(ctx context.Context, o *Options) error {
	if o.env["GOGC"] == "" {
		debug.SetGCPercent(gcPercent)
	}
	src, err := o.connect()
	if err != nil {
		return err
	}
	p, err := newProgram(o, src)
	if err != nil {
		return err
	}
	klog.FromContext(ctx).Info("Starting", "build", buildinfo.Read(), "apiServer", src.server, "manifests", o.Manifests, "namespaces", o.Namespaces, "labelPrefixes", o.LabelPrefixes, "bridges", o.Bridge.On, "webhooks", p.webhooks)
	return p.run(ctx)
}

// gcPercent is how much garbage may pile up, in percent of what is in use, unless
// GOGC says otherwise. Most memory is pods, instances and answers that stay, and
// little garbage is made: less than half of Go's default costs next to no processor time
// and keeps 10,000 pods under 128 MiB.
const gcPercent = 40

// source is where pods come from, but for the directory of manifests.
type source struct {
	client   kubernetes.Interface // nil without an API server
	metadata metadata.Interface   // as client
	contact  *contact.Contact     // as client
	server   string               // URL for the log

	overrides    types.NamespacedName // the ConfigMap that keeps overrides; no name for none
	webhookLease types.NamespacedName // the Lease of who tells webhooks; no name for none
}

// connect makes the clients of the API server, if pods come from one. It makes
// no connection: an API server that is away at the start is waited for.
func (o *Options) connect() (source, error) {
	if !o.Sources().APIServer {
		return source{}, nil
	}
	config, err := o.RestConfig()
	if err != nil {
		return source{}, err
	}
	heard := contact.New()
	config.Wrap(heard.Wrap)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return source{}, fmt.Errorf("make a client of the API server: %w", err)
	}
	objects := metadata.ConfigFor(config)
	nodes, err := metadata.NewForConfig(objects)
	if err != nil {
		return source{}, fmt.Errorf("make a metadata client of the API server: %w", err)
	}
	overrides, err := o.overridesConfigMap()
	if err != nil {
		return source{}, err
	}
	webhookLease, err := o.webhookLease()
	if err != nil {
		return source{}, err
	}
	return source{client: client, metadata: nodes, contact: heard, server: config.Host, overrides: overrides, webhookLease: webhookLease}, nil
}

// overridesConfigMap is the ConfigMap that keeps overrides, without a name for
// none.
func (o *Options) overridesConfigMap() (types.NamespacedName, error) {
	if !o.SelfRegistration.keepsOverrides() {
		return types.NamespacedName{}, nil
	}
	return o.ownObject(o.SelfRegistration.OverridesConfigMap)
}

// ownObject reads the name of an object of ours. It looks for our own namespace
// only if it has to be known.
func (o *Options) ownObject(text string) (types.NamespacedName, error) {
	own := ""
	if !strings.Contains(text, "/") {
		var err error
		if own, err = o.ownNamespace(); err != nil {
			return types.NamespacedName{}, err
		}
	}
	return namespacedName(text, own)
}

// run is the list of actors. The first that fails ends all others; a signal ends
// the servers for clients first, while everything it answers from goes on.
func (p *program) run(ctx context.Context) error {
	var taken []error
	for _, listen := range p.listen {
		taken = append(taken, listen(ctx))
	}
	if err := errors.Join(taken...); err != nil {
		return err
	}
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	actors, work := errgroup.WithContext(work)
	actors.Go(func() error { return p.controller.Run(work) })
	actors.Go(func() error { return p.publisher.Run(work) })
	actors.Go(func() error { return p.admin.Run(work) })
	for _, run := range slices.Concat(p.writing, p.telling) {
		actors.Go(func() error { return run(work) })
	}
	actors.Go(func() error {
		defer stop()
		drain, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(work, cancel)()
		serving, drain := errgroup.WithContext(drain)
		for _, server := range p.clients {
			serving.Go(func() error { return server.Run(drain) })
		}
		return serving.Wait()
	})
	return actors.Wait()
}

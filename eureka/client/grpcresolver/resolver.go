package grpcresolver

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"google.golang.org/grpc/resolver"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// Scheme is the scheme of the targets.
const Scheme = "eureka"

// vipPrefix stands before a name that is a VIP.
const vipPrefix = "vip/"

// serviceConfig has a channel use all instances; gRPC's own default is the first
// one that answers.
const serviceConfig = `{"loadBalancingConfig":[{"round_robin":{}}]}`

// builder makes resolvers that share a discovery.
type builder struct {
	discovery *client.Discovery
}

// New returns the resolver of targets that discovery knows, for grpc.WithResolvers
// or resolver.Register. The caller runs the discovery, and any number of channels
// share it. A channel waits until the discovery has a list.
func New(discovery *client.Discovery) resolver.Builder { return builder{discovery} }

// Scheme implements resolver.Builder.
func (builder) Scheme() string { return Scheme }

// Build implements resolver.Builder. The error says that the target names nobody.
func (b builder) Build(target resolver.Target, channel resolver.ClientConn, _ resolver.BuildOptions) (resolver.Resolver, error) {
	name := target.Endpoint()
	if target.URL.Host != "" {
		return nil, fmt.Errorf("target %s: a name stands after three slashes, as in eureka:///%s", target.URL.Redacted(), target.URL.Host)
	}
	watch := b.discovery.Watch
	if vip, ok := strings.CutPrefix(name, vipPrefix); ok {
		name, watch = vip, b.discovery.WatchVIP
	}
	if name == "" || strings.Contains(name, "/") {
		return nil, errors.New("target names no app, as eureka:///APP does, and no VIP, as eureka:///vip/NAME does")
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &eurekaResolver{cancel: cancel}
	r.running.Go(func() { follow(name, watch(ctx, name), channel) })
	return r, nil
}

// eurekaResolver tells one channel of changes until it is closed.
type eurekaResolver struct {
	cancel  context.CancelFunc
	running sync.WaitGroup
}

// ResolveNow implements resolver.Resolver. There is nothing to hurry: changes are
// told as they come.
func (*eurekaResolver) ResolveNow(resolver.ResolveNowOptions) {}

// Close implements resolver.Resolver. It waits until nothing is told any more.
func (r *eurekaResolver) Close() {
	r.cancel()
	r.running.Wait()
}

// follow tells a channel of instances as they change. What the channel returns is an
// invitation to resolve again, which would change nothing.
func follow(name string, changes iter.Seq[[]*eureka.Instance], channel resolver.ClientConn) {
	config := channel.ParseServiceConfig(serviceConfig)
	known := false
	for instances := range changes {
		if len(instances) == 0 && !known {
			channel.ReportError(fmt.Errorf("nobody of %q is UP", name)) // calls fail with it
			continue
		}
		// Nobody is told as well: calls fail at once then, rather than after the
		// timeouts of instances that are gone.
		_ = channel.UpdateState(resolver.State{Endpoints: endpoints(instances), ServiceConfig: config})
		known = true
	}
}

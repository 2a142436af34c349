package client

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// DiscoveryConfig says how the list is kept.
type DiscoveryConfig struct {
	// Interval is how often a server is asked that has neither a stream nor a long
	// poll, and the longest wait after failures. 0 is 30 seconds, as in Netflix's
	// client (protocol section 6.1).
	Interval time.Duration
	// Picker chooses in Pick. nil is [RoundRobin].
	Picker Picker
	// File keeps a copy of the list, which a later process begins with when no
	// server answers it. Its folder has to exist: what cannot be written is logged
	// and counted in [Stats], and nothing else fails. The last list is written as
	// Run ends, so wait for that. Only one Discovery may use a file. Empty for none.
	File string
}

// DefaultInterval is the interval of a Discovery that names none.
const DefaultInterval = 30 * time.Second

// Discovery knows all instances that the servers list. It keeps the last list
// that it had for as long as no server answers; [Discovery.Age] says how old it
// is.
//
// Its methods may be called by many goroutines at once, before, during and after
// Run. They read memory and take no lock. The instances that they return are
// shared: change a [eureka.Instance.Clone].
type Discovery struct {
	servers *Servers
	config  DiscoveryConfig
	running atomic.Bool
	view    atomic.Pointer[view]
	// confirmed is when a server last said that view is current, in milliseconds
	// since 1970; 0 for never.
	confirmed atomic.Int64
	stats     counters
}

// NewDiscovery returns a Discovery that knows nothing until Run.
func NewDiscovery(servers *Servers, config DiscoveryConfig) *Discovery {
	if config.Interval <= 0 {
		config.Interval = DefaultInterval
	}
	if config.Picker == nil {
		config.Picker = RoundRobin()
	}
	d := &Discovery{servers: servers, config: config}
	d.view.Store(newView(false, nil, eureka.Census{}))
	return d
}

// Ready reports whether there is a list, of a server or of the file.
func (d *Discovery) Ready() bool { return d.view.Load().known }

// WaitReady waits until Ready, or until ctx ends, whose error it then returns.
func (d *Discovery) WaitReady(ctx context.Context) error {
	for {
		v := d.view.Load()
		if v.known {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-v.superseded:
		}
	}
}

// Age is how long ago a server last said that the list is current: while one
// answers, 30 seconds or the interval at most. It is 0 before the first list too,
// which [Discovery.Ready] tells apart.
func (d *Discovery) Age() time.Duration {
	at := d.confirmed.Load()
	if at == 0 {
		return 0
	}
	return max(0, time.Since(time.UnixMilli(at)))
}

// Applications are all apps with all their instances in any status, sorted by
// name and id.
func (d *Discovery) Applications() []eureka.Application {
	apps := d.view.Load().applications()
	for i := range apps {
		apps[i].Instances = slices.Clone(apps[i].Instances)
	}
	return apps
}

// Instances are those of an app, in any case, that are UP, sorted by id.
func (d *Discovery) Instances(app string) []*eureka.Instance { return d.up(ofApp(app)) }

// InstancesOfVIP are those that are UP and have vip, in any case as for
// [Discovery.PickVIP], among the names in their VIPAddress.
func (d *Discovery) InstancesOfVIP(vip string) []*eureka.Instance { return d.up(ofVIP(vip)) }

// InstancesOfSecureVIP is InstancesOfVIP for SecureVIPAddress.
func (d *Discovery) InstancesOfSecureVIP(vip string) []*eureka.Instance {
	return d.up(ofSecureVIP(vip))
}

// Watch yields the UP instances of an app: once as soon as there is a list, and then
// whenever they differ from what was yielded before, until ctx ends. States that
// passed while the loop's body ran are skipped, so nothing ever queues up.
func (d *Discovery) Watch(ctx context.Context, app string) iter.Seq[[]*eureka.Instance] {
	return d.watch(ctx, ofApp(app))
}

// WatchVIP is Watch for the instances that have vip, in any case as for
// [Discovery.PickVIP].
func (d *Discovery) WatchVIP(ctx context.Context, vip string) iter.Seq[[]*eureka.Instance] {
	return d.watch(ctx, ofVIP(vip))
}

// selection finds the instances of one name in a view; nil for none.
type selection func(*view) *application

func ofApp(name string) selection {
	name = strings.ToUpper(name)
	return func(v *view) *application { return v.apps[name] }
}

func ofVIP(name string) selection {
	name = strings.ToUpper(name)
	return func(v *view) *application { return v.vips()[name] }
}

func ofSecureVIP(name string) selection {
	name = strings.ToUpper(name)
	return func(v *view) *application { return v.secureVIPs()[name] }
}

// up are the selected instances that are UP.
func (d *Discovery) up(of selection) []*eureka.Instance {
	app := of(d.view.Load())
	if app == nil {
		return nil
	}
	return slices.Clone(app.up)
}

func (d *Discovery) watch(ctx context.Context, of selection) iter.Seq[[]*eureka.Instance] {
	return func(yield func([]*eureka.Instance) bool) {
		var last []*eureka.Instance
		told := false
		for {
			v := d.view.Load()
			if v.known && ctx.Err() == nil {
				var now []*eureka.Instance
				if app := of(v); app != nil {
					now = app.up
				}
				if !told || !slices.EqualFunc(last, now, alike) {
					last, told = now, true
					if !yield(slices.Clone(now)) {
						return
					}
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-v.superseded:
			}
		}
	}
}

// alike reports whether a caller need not tell a from b. Most often they are one.
func alike(a, b *eureka.Instance) bool { return a == b || a.SameDescription(b) }

// show makes next what everybody sees.
func (d *Discovery) show(next *view) {
	before := d.view.Swap(next)
	close(before.superseded)
}

package app

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/eurekube/eurekube/bridge/callback"
	"github.com/eurekube/eurekube/controller"
	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/api"
	"github.com/eurekube/eurekube/eureka/dashboard"
	"github.com/eurekube/eurekube/eureka/events"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
	"github.com/eurekube/eurekube/internal/httpserver"
	"github.com/eurekube/eurekube/internal/telemetry"
)

// program is the parts of a running server, put together.
type program struct {
	controller *controller.Controller
	publisher  *snapshot.Publisher
	api        *api.API
	callback   *callback.Bridge // nil when it is off
	clients    []*httpserver.Server
	admin      *httpserver.Server
	listen     []func(context.Context) error // opens the address of each server
	writing    []func(context.Context) error // actors that are there for writes
	telling    []func(context.Context) error // actors that tell webhooks
	webhooks   []string                      // the hosts of those that are told at first
	draining   atomic.Bool
	stopping   chan struct{} // closed when the server for clients listens no more
}

// newProgram puts the parts together. It starts nothing.
func newProgram(o *Options, src source) (*program, error) {
	metrics := telemetry.NewRegistry()
	p, err := newParts(o, src, metrics)
	if err != nil {
		return nil, err
	}
	p.clients = append(p.clients, httpserver.New(httpserver.Config{
		Name:        "clients",
		Addr:        o.Listen,
		Handler:     p.api,
		Timeouts:    o.timeouts(),
		TLSCertFile: o.TLSCert,
		TLSKeyFile:  o.TLSKey,
		Drain:       o.Drain,
		StopTimeout: clientsStopTimeout,
		OnDrain:     func() { p.draining.Store(true) },
		OnStop:      func() { close(p.stopping) },
	}))
	p.listen = append(p.listen, o.listening("listen", p.clients[0]))
	if p.callback != nil {
		p.clients = append(p.clients, httpserver.New(p.callbackServer(o)))
		p.listen = append(p.listen, o.listening("callback-listen", p.clients[1]))
	}
	p.admin = httpserver.New(httpserver.Config{
		Name:        "admin",
		Addr:        o.AdminListen,
		Handler:     p.adminPort(metrics).Handler(),
		Timeouts:    adminTimeouts,
		StopTimeout: adminStopTimeout,
	})
	p.listen = append(p.listen, o.listening("admin-listen", p.admin))
	return p, nil
}

// How long requests in flight may take to end, first those of clients, after the
// drain, and then those on the admin port, which has nothing but a profile that
// could take long. With the drain they are less than the grace period that the
// chart gives the pod: 15 s more than the drain.
const (
	clientsStopTimeout = 10 * time.Second
	adminStopTimeout   = time.Second
)

// adminPort answers probes, metrics and /pods.
func (p *program) adminPort(metrics prometheus.Gatherer) telemetry.Admin {
	return telemetry.Admin{
		Gatherer: metrics,
		Ready:    p.ready,
		Handlers: telemetry.Handlers{"/pods": telemetry.JSON(p.pods)},
	}
}

// newParts puts together what serves pods, from the watch to the handler.
func newParts(o *Options, src source, metrics prometheus.Registerer) (*program, error) {
	p := &program{stopping: make(chan struct{})}
	reg := registry.New(time.Now)
	config := controller.Config{
		Client:     src.client,
		Metadata:   src.metadata,
		Namespaces: o.Namespaces,
		Manifests:  o.Manifests,
		Rules:      convertor.Rules{Prefixes: o.LabelPrefixes, IPFamily: o.IPFamily, Unready: o.Unready},
		Registry:   reg,
		Registerer: metrics,
		Overrides:  src.overrides,
		PodEvents:  o.PodEvents,
		Host:       hostName(),
	}
	if src.contact != nil {
		config.ContactAge = src.contact.Age
	}
	var err error
	if p.controller, err = controller.New(config); err != nil {
		return nil, err
	}
	p.publisher = snapshot.NewPublisher(snapshot.Config{
		Registry:   reg,
		Ready:      p.controller.Synced(),
		Holdoff:    o.PublishHoldoff,
		MaxHoldoff: o.PublishMaxHoldoff,
		Published:  p.controller.Published,
		Registerer: metrics,
	})
	answers := api.Config{
		Snapshot:           p.publisher.Current,
		Shown:              p.publisher.Shown,
		ShownUnlessFlooded: p.publisher.ShownUnlessFlooded,
		Registry:           reg,
		Stopping:           p.stopping,
		WriteTimeout:       o.WriteTimeout,
		Self:               self(o),
		Stream:             p.stream(o, metrics),
		Home:               dashboard.Handler(p.publisher.Current, p.controller.Waiting),
		Registerer:         metrics,
	}
	if err := p.addWriting(o, &answers); err != nil {
		return nil, err
	}
	o.addBridges(&answers)
	if err := p.addCallback(o, &answers); err != nil {
		return nil, err
	}
	if err := p.addWebhooks(o, src, metrics); err != nil {
		return nil, err
	}
	p.api = api.New(answers)
	return p, nil
}

// stream tells clients who came and who went.
func (p *program) stream(o *Options, metrics prometheus.Registerer) *events.Stream {
	return events.NewStream(events.Config{
		Snapshot:     p.publisher.Current,
		Stopping:     p.stopping,
		WriteTimeout: o.WriteTimeout,
		Registerer:   metrics,
	})
}

func (o *Options) timeouts() httpserver.Timeouts {
	// A registration is a few kilobytes, so whoever needs longer for a whole
	// request than headers may take is no client.
	return httpserver.Timeouts{Header: o.HeaderTimeout, Read: o.HeaderTimeout, Write: o.WriteTimeout, Idle: o.IdleTimeout}
}

// adminTimeouts leave room for a profile of half a minute.
var adminTimeouts = httpserver.Timeouts{Header: 10 * time.Second, Read: 10 * time.Second, Write: 2 * time.Minute, Idle: 90 * time.Second}

var errDraining = errors.New("draining: told to stop")

// ready is the readiness probe.
func (p *program) ready() error {
	if p.draining.Load() {
		return errDraining
	}
	return p.synced()
}

// synced is an error that says what is waited for, until there is a complete list.
func (p *program) synced() error {
	if p.publisher.Current() == nil {
		return fmt.Errorf("not synced: %s", p.controller.Waiting())
	}
	return nil
}

// hostName is the machine's, in a cluster the pod's.
func hostName() string {
	host, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return host
}

// self is this server as GET status shows it.
func self(o *Options) *eureka.Instance {
	host := hostName()
	address, port := host, 0 // a port still to be chosen
	if h, p, err := splitAddress(o.Listen); err == nil {
		port = int(p)
		if _, err := netip.ParseAddr(h); err == nil {
			address = h
		}
	}
	return &eureka.Instance{
		ID: host + ":eurekube:" + strconv.Itoa(port), App: "EUREKUBE", HostName: host, IPAddr: address,
		Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		Port:           eureka.Port{Number: port, Enabled: o.TLSCert == ""},
		SecurePort:     eureka.Port{Number: port, Enabled: o.TLSCert != ""},
		CountryID:      eureka.DefaultCountryID,
		DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
		Lease:          eureka.Lease{RenewalIntervalInSecs: eureka.DefaultRenewalIntervalInSecs, DurationInSecs: eureka.DefaultDurationInSecs},
		VIPAddress:     "eurekube", SecureVIPAddress: "eurekube",
		IsCoordinatingDiscoveryServer: true,
	}
}

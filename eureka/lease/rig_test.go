package lease

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// rig is a store that runs, and what a client reads of it.
type rig struct {
	*Store
	t        *testing.T
	registry *registry.Registry
	metrics  *prometheus.Registry
	logger   klog.Logger
	listed   map[string]*eureka.Instance // by app and id
	deltas   []string                    // actions in the order in which they were drained
	version  uint64
}

// run calls test in a bubble with a store that runs.
func run(t *testing.T, config Config, test func(*rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, config)
		ctx, stop := context.WithCancel(klog.NewContext(context.Background(), r.logger))
		ended := make(chan error)
		go func() { ended <- r.Run(ctx) }()
		defer func() {
			stop()
			if err := <-ended; err != nil {
				t.Errorf("Run = %v after its context ended, want nil", err)
			}
		}()
		synctest.Wait()
		test(r)
	})
}

func newRig(t *testing.T, config Config) *rig {
	r := &rig{
		t:        t,
		registry: registry.New(time.Now),
		metrics:  prometheus.NewRegistry(),
		logger:   ktesting.NewLogger(ktesting.NopTL{}, ktesting.NewConfig(ktesting.BufferLogs(true), ktesting.Verbosity(4))),
		listed:   make(map[string]*eureka.Instance),
	}
	if config.Mode == "" {
		config.Mode = ModeOn
	}
	config.Registry, config.Registerer = r.registry, r.metrics
	r.Store = NewStore(config)
	return r
}

// wait lets seconds pass, and the sweep at their end.
func (r *rig) wait(seconds int) {
	time.Sleep(time.Duration(seconds) * time.Second)
	synctest.Wait()
}

// drain reads what changed.
func (r *rig) drain() {
	changes := r.registry.Drain()
	for _, app := range changes.Apps {
		for _, inst := range app.Recent {
			r.deltas = append(r.deltas, string(inst.ActionType)+" "+inst.ID)
		}
		if !app.ListedChanged {
			continue
		}
		for name := range r.listed {
			if strings.HasPrefix(name, app.Name+"/") {
				delete(r.listed, name)
			}
		}
		for _, inst := range app.Instances {
			r.listed[app.Name+"/"+inst.ID] = inst
		}
	}
	r.version = changes.Version
}

// instance is what a client reads of an instance, nil if it is not listed.
func (r *rig) instance(app, id string) *eureka.Instance {
	r.drain()
	return r.listed[app+"/"+id]
}

// status is what a client reads of an instance, empty if it is not listed.
func (r *rig) status(app, id string) eureka.Status {
	inst := r.instance(app, id)
	if inst == nil {
		return ""
	}
	return inst.Status
}

// wantStatus checks what a client reads of instance i1 of app A, empty for not
// listed.
func (r *rig) wantStatus(want eureka.Status, when string) {
	r.t.Helper()
	if got := r.status("A", "i1"); got != want {
		r.t.Errorf("%s the status is %q, want %q", when, got, want)
	}
}

// ctx is a context with the log that lines shows.
func (r *rig) ctx() context.Context { return klog.NewContext(r.t.Context(), r.logger) }

func (r *rig) Renew(app, id string, renewal Renewal) error {
	return r.Store.Renew(r.ctx(), app, id, renewal)
}

func (r *rig) Cancel(app, id string, replica bool) error {
	return r.Store.Cancel(r.ctx(), app, id, replica)
}

func (r *rig) Override(app, id string, status eureka.Status, dirty Dirty, replica bool) error {
	return r.Store.Override(r.ctx(), app, id, status, dirty, replica)
}

func (r *rig) RemoveOverride(app, id string, fallback eureka.Status, dirty Dirty, replica bool) error {
	return r.Store.RemoveOverride(r.ctx(), app, id, fallback, dirty, replica)
}

// register registers inst from nowhere in particular.
func (r *rig) register(inst *eureka.Instance) {
	r.t.Helper()
	if err := r.Register(r.ctx(), inst, netip.Addr{}, false); err != nil {
		r.t.Fatalf("Register(%s/%s): %v", inst.App, inst.ID, err)
	}
}

// well checks that a call gave no error.
func (r *rig) well(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Errorf("unexpected error: %v", err)
	}
}

// wantErr checks that a call gave the error want.
func (r *rig) wantErr(want, got error) {
	r.t.Helper()
	if got != want {
		r.t.Errorf("error %v, want %v", got, want)
	}
}

// lines are the logged messages that begin with prefix, with their values.
func (r *rig) lines(prefix string) []string {
	var found []string
	for _, entry := range r.logger.GetSink().(ktesting.Underlier).GetBuffer().Data() {
		if strings.HasPrefix(entry.Message, prefix) {
			found = append(found, entry.Message)
		}
	}
	return found
}

// option changes a registration.
type option func(*eureka.Instance)

func status(s eureka.Status) option     { return func(i *eureka.Instance) { i.Status = s } }
func dirty(ms int64) option             { return func(i *eureka.Instance) { i.LastDirtyTimestamp = ms } }
func overridden(s eureka.Status) option { return func(i *eureka.Instance) { i.OverriddenStatus = s } }
func vip(name string) option            { return func(i *eureka.Instance) { i.VIPAddress = name } }
func metadata(key, value string) option {
	return func(i *eureka.Instance) { i.Metadata = map[string]string{key: value} }
}
func at(host, ip string, port int) option {
	return func(i *eureka.Instance) { i.HostName, i.IPAddr, i.Port.Number = host, ip, port }
}

func lasting(interval, duration int) option {
	return func(i *eureka.Instance) {
		i.Lease.RenewalIntervalInSecs, i.Lease.DurationInSecs = interval, duration
	}
}

// registration is an instance as the API hands it over.
func registration(app, id string, options ...option) *eureka.Instance {
	inst := &eureka.Instance{
		ID: id, App: app, HostName: "10.9.9.9", IPAddr: "10.9.9.9", VIPAddress: strings.ToLower(app),
		Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		Port: eureka.Port{Number: 8080, Enabled: true}, SecurePort: eureka.Port{Number: 443},
		CountryID: 1, DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
		Lease:              eureka.Lease{RenewalIntervalInSecs: 30, DurationInSecs: 90},
		LastDirtyTimestamp: 1000,
	}
	for _, set := range options {
		set(inst)
	}
	return inst
}

// pod tells the registry of a pod, as the controller does.
func (r *rig) pod(app, name, ip string, hidden bool) {
	inst := registration(app, ip+":"+strings.ToLower(app)+":8080", at(ip, ip, 8080), metadata("version", "1.0"))
	r.registry.Replace(registry.OwnerPod, "shop/"+name+"/uid", registry.Claim{
		Instance: inst, Hidden: hidden,
		Endpoints: []registry.Endpoint{{Host: ip, Port: 8080}, {Host: name, Port: 8080}},
	})
}

// endPod tells the registry that a pod is gone.
func (r *rig) endPod(name string) {
	r.registry.Replace(registry.OwnerPod, "shop/"+name+"/uid")
}

package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka"
)

// Registration keeps one instance registered. Its methods may be called by many
// goroutines at once, before, during and after Run.
type Registration struct {
	servers *Servers
	changed chan struct{} // yields when the description changed
	missed  chan struct{} // yields when a list lost the instance
	running atomic.Bool

	mu   sync.Mutex
	inst *eureka.Instance // guarded by mu; never nil
}

// NewRegistration returns the registration of inst, which it copies; nothing is
// sent before Run. App, HostName and IPAddr are required. What else is empty is
// filled in: ID is the host, the application and the port; Status is UP, the data
// centre MyOwn, the lease 30 and 90 seconds, VIPAddress the application in lower
// case, and the port 7001 enabled if neither port is. What no server would take, such
// as an enabled port without a number, is an error that names the field.
func NewRegistration(servers *Servers, inst *eureka.Instance) (*Registration, error) {
	inst = inst.Clone()
	inst.App = strings.ToUpper(inst.App)
	if err := validate(inst); err != nil {
		return nil, err
	}
	fillDefaults(inst)
	return &Registration{servers: servers, inst: inst, changed: make(chan struct{}, 1), missed: make(chan struct{}, 1)}, nil
}

// validate refuses what a server would refuse whenever it is sent: nobody would see but
// in the log.
func validate(inst *eureka.Instance) error {
	for _, required := range []struct{ field, value string }{{"App", inst.App}, {"HostName", inst.HostName}, {"IPAddr", inst.IPAddr}} {
		if required.value == "" {
			return fmt.Errorf("instance without %s", required.field)
		}
	}
	for _, number := range []struct {
		field              string
		value, least, most int
	}{
		{"Port.Number", inst.Port.Number, leastPort(inst.Port), math.MaxUint16},
		{"SecurePort.Number", inst.SecurePort.Number, leastPort(inst.SecurePort), math.MaxUint16},
		{"Lease.RenewalIntervalInSecs", inst.Lease.RenewalIntervalInSecs, 0, math.MaxInt32},
		{"Lease.DurationInSecs", inst.Lease.DurationInSecs, 0, math.MaxInt32},
	} {
		if number.value < number.least || number.value > number.most {
			return fmt.Errorf("%s is %d: want %d to %d", number.field, number.value, number.least, number.most)
		}
	}
	for _, status := range []struct {
		field string
		value eureka.Status
	}{{"Status", inst.Status}, {"OverriddenStatus", inst.OverriddenStatus}} {
		if _, known := eureka.ParseStatus(string(status.value)); !known && status.value != "" {
			return fmt.Errorf("%s is %q: want one of %v", status.field, status.value, eureka.Statuses)
		}
	}
	return nil
}

// leastPort is the lowest number of a port: none will do for one that is not in use.
func leastPort(port eureka.Port) int {
	if port.Enabled {
		return 1
	}
	return 0
}

// fillDefaults gives inst what every server fills in (protocol section 4.2), and an
// id as Spring's clients make one (section 7.3).
func fillDefaults(inst *eureka.Instance) {
	if !inst.Port.Enabled && !inst.SecurePort.Enabled {
		inst.Port.Enabled = true
		if inst.Port.Number == 0 {
			inst.Port.Number = eureka.DefaultPort
		}
	}
	if inst.SecurePort.Number == 0 {
		inst.SecurePort.Number = eureka.DefaultSecurePort
	}
	port := inst.Port
	if !port.Enabled {
		port = inst.SecurePort
	}
	fill(&inst.ID, fmt.Sprintf("%s:%s:%d", inst.HostName, strings.ToLower(inst.App), port.Number))
	fill(&inst.Status, eureka.StatusUp)
	fill(&inst.OverriddenStatus, eureka.StatusUnknown)
	fill(&inst.DataCenterInfo.Name, eureka.DataCenterMyOwn)
	fill(&inst.VIPAddress, strings.ToLower(inst.App))
	fill(&inst.SecureVIPAddress, strings.ToLower(inst.App))
	fill(&inst.CountryID, eureka.DefaultCountryID)
	fill(&inst.Lease.RenewalIntervalInSecs, eureka.DefaultRenewalIntervalInSecs)
	fill(&inst.Lease.DurationInSecs, eureka.DefaultDurationInSecs)
	fill(&inst.LastDirtyTimestamp, time.Now().UnixMilli())
}

// fill sets what is zero.
func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Instance is a copy of the description as it is now, which the server may not
// have yet.
func (r *Registration) Instance() *eureka.Instance {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.inst.Clone()
}

// UpdateStatus says how the instance is from now on, and has it registered again
// at once. It does not wait for that. Servers of Netflix and Spring do not believe
// an instance that says to be OUT_OF_SERVICE (protocol section 5.7): say DOWN.
func (r *Registration) UpdateStatus(status eureka.Status) {
	r.change(func(inst *eureka.Instance) bool {
		same := inst.Status == status
		inst.Status = status
		return !same
	})
}

// SetMetadata replaces all metadata, and has the instance registered again at once.
// It does not wait for that.
func (r *Registration) SetMetadata(metadata map[string]string) {
	r.change(func(inst *eureka.Instance) bool {
		same := maps.Equal(inst.Metadata, metadata)
		inst.Metadata = maps.Clone(metadata)
		return !same
	})
}

// change applies change and, if it reports a difference, wakes Run.
func (r *Registration) change(change func(*eureka.Instance) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !change(r.inst) {
		return
	}
	r.inst.LastDirtyTimestamp = max(time.Now().UnixMilli(), r.inst.LastDirtyTimestamp+1)
	wake(r.changed)
}

// Run registers the instance, renews its lease a little before each interval is
// over, and registers again after a change and whenever a server does not know the
// instance. It renews at once when the list of a [Discovery] that runs with the same
// [Servers] loses the instance, as it does when a server was restarted. After a
// failure it tries again soon, backing off to the interval. When ctx ends it
// deregisters, for which it takes 5 seconds at most, and returns. The error is that
// of deregistering, or ErrRunning.
func (r *Registration) Run(ctx context.Context) error {
	if !r.running.CompareAndSwap(false, true) {
		return ErrRunning
	}
	defer r.running.Store(false)
	defer r.servers.closeIdle()
	r.servers.began(r)
	defer r.servers.ended(r)
	l := lease{Registration: r, interval: time.Duration(r.Instance().Lease.RenewalIntervalInSecs) * time.Second}
	l.retry = backoff{first: min(firstRetry, l.interval), limit: l.interval}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return l.end(ctx)
		case <-r.changed:
			if l.known == r.Instance().LastDirtyTimestamp {
				continue // it was sent together with the change before
			}
		case <-r.missed:
		case <-timer.C:
		}
		if ctx.Err() == nil { // both may be ready
			timer.Reset(l.keep(ctx))
		}
	}
}

// endTimeout bounds deregistering, for which the context is over already.
const endTimeout = 5 * time.Second

// end deregisters what may have been registered: an answer that was not waited for
// may have been a yes.
func (l *lease) end(ctx context.Context) error {
	if !l.tried {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	inst := l.Instance()
	a, err := l.servers.do(ctx, call{method: http.MethodDelete, path: instancePath(inst.App, inst.ID)}, func(status int) bool {
		return status/100 == 2 || status == http.StatusNotFound
	})
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("gave up after %v: %w", endTimeout, err)
		}
		return fmt.Errorf("deregister %s of %s: %w", inst.ID, inst.App, err)
	}
	if a.status != http.StatusNotFound { // or nobody knew of it
		klog.FromContext(ctx).Info("Deregistered the instance", "app", inst.App, "instanceID", inst.ID)
	}
	return nil
}

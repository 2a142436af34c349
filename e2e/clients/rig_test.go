package clients

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/recorder"
	"github.com/eurekube/eurekube/e2e/suite"
)

// The intervals of clients under test, in place of 30 and 90 seconds.
const (
	interval = 1 * time.Second // of heartbeats and of fetches

	// On a busy machine a client may have to wait for a processor longer than three
	// intervals, and its lease is to be kept nevertheless.
	leaseDuration  = leaseIntervals * interval
	leaseIntervals = 10
)

// serviceName is the name of the application of most cases.
const serviceName = "storefront"

// rig is a client at work: a server, the proxies that it reaches the server by, and
// the process.
type rig struct {
	client
	settings
	server      *server
	proxies     []*recorder.Proxy
	application *application
	kubelet     *kubelet // of the consumer's providers; nil: there are none
}

func newSettings(t *testing.T) settings {
	return settings{
		service: serviceName, address: freePort(t, "127.0.0.1"), interval: interval, leaseDuration: leaseDuration,
		logPath: filepath.Join(t.TempDir(), "application.log"),
	}
}

// startRig starts the client in front of the server, with as many proxies in between
// as it is to have service URLs, and returns when it has settled.
func startRig(t *testing.T, c client, s *server, wanted settings, proxies int, credentials string) *rig {
	t.Helper()
	r := newRig(t, c, s, wanted, proxies, credentials)
	r.start(t)
	return r
}

// newRig is startRig without the client.
func newRig(t *testing.T, c client, s *server, wanted settings, proxies int, credentials string) *rig {
	t.Helper()
	r := &rig{client: c, settings: wanted, server: s}
	t.Cleanup(func() { r.end(t) })
	for range proxies {
		proxy := startProxy(t, freeAddress(t), s)
		r.proxies = append(r.proxies, proxy)
		r.serviceURLs = append(r.serviceURLs, serviceURL(proxy.Address(), credentials))
	}
	return r
}

// start starts the client and returns when it has settled.
func (r *rig) start(t *testing.T) {
	t.Helper()
	r.application = startApplication(t, r.client, r.settings)
	if r.registers() {
		r.expectSettled(t)
	}
	r.application.expectQuiet(t, starting)
}

// starting is what a client does before its first case.
const starting = "starting"

// expectSettled waits until the application is UP and renews: clients that start
// register more than once.
func (r *rig) expectSettled(t *testing.T) {
	t.Helper()
	suite.Eventually(t, soon+r.interval, func() error {
		now, err := r.server.instance(t.Context(), r.application.app, r.application.id)
		if err == nil && (now.Status != "UP" || milliseconds(now.Lease.LastRenewal-now.Lease.Registration) < r.interval/2) {
			err = fmt.Errorf("%s is %s and was not renewed yet", now.ID, now.Status)
		}
		return err
	})
}

// startProxy starts a proxy, which the rig closes when it ends.
func startProxy(t *testing.T, address string, s *server) *recorder.Proxy {
	t.Helper()
	proxy, err := recorder.Start(t.Context(), address, "http://"+s.address)
	if err != nil {
		t.Fatal(err)
	}
	return proxy
}

func startOrdinary(t *testing.T, c client) *rig {
	r := startRig(t, c, startServer(t), newSettings(t), 1, "")
	r.expectDiscovered(t, soon, nil)
	return r
}

// credentials are those of the rig with a fallback.
const credentials = "spring:s3cret"

func startWithFallback(t *testing.T, c client) *rig {
	users := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(users, []byte(credentials+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "--auth-file="+users, "--auth-reads")
	s.credentials = credentials
	wanted := newSettings(t)
	// Clients give up what takes longer than an interval, and then know nothing of the
	// second service URL.
	wanted.interval += 2 * c.patience
	wanted.leaseDuration = leaseIntervals * wanted.interval
	r := startRig(t, c, s, wanted, 2, credentials)
	r.expectDiscovered(t, soon, nil)
	return r
}

func startWithOneVIP(t *testing.T, c client) *rig {
	wanted := newSettings(t)
	if c.can("SingleVIP") {
		wanted.vip = "orders"
	}
	return startRig(t, c, startServer(t), wanted, 1, "")
}

func startCompact(t *testing.T, c client) *rig {
	wanted := newSettings(t)
	wanted.compact = true
	return startRig(t, c, startServer(t), wanted, 1, "")
}

// registers reports whether the client is listed itself.
func (r *rig) registers() bool { return !r.discoverOnly && r.can("Registered") }

// end stops everything at once. It may be called again.
func (r *rig) end(t *testing.T) {
	t.Helper()
	errs := []error{r.server.Kill()}
	if r.application != nil {
		errs = append(errs, r.application.Kill())
	}
	if r.kubelet != nil {
		errs = append(errs, r.kubelet.end())
	}
	for _, proxy := range r.proxies {
		errs = append(errs, proxy.Close())
	}
	if err := errors.Join(errs...); err != nil {
		t.Error(err)
	}
}

// demo is what deploy/demo makes callers call.
var demo = map[string][]string{
	"cart":    {"http://10.244.1.12:8080"},
	"legacy":  {"http://10.244.1.14:8080"},
	"orders":  {"http://10.244.1.11:8080", "http://10.244.2.11:8080"},
	"payment": {"http://10.244.2.13:8080"},
}

// expectDiscovered waits until the application would call the demo, itself, and
// what more says.
func (r *rig) expectDiscovered(t *testing.T, within time.Duration, more map[string][]string) {
	t.Helper()
	r.application.expectDiscovered(t, within, r.withDemo(more))
}

func (r *rig) withDemo(more map[string][]string) map[string][]string {
	want := maps.Clone(demo)
	if r.registers() {
		want[r.service] = []string{r.application.url("")}
	}
	maps.Copy(want, more)
	return want
}

package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/api"
	"github.com/eurekube/eurekube/eureka/client"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/events"
	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// eurekube is a server of ours, assembled as the program does, whose pods the test
// writes.
type eurekube struct {
	http.Handler
	registry  *registry.Registry
	leases    *lease.Store
	publisher *snapshot.Publisher
}

// startEurekube serves pods, and whoever registers, until the test ends.
func startEurekube(t *testing.T, pods ...*eureka.Instance) *eurekube {
	t.Helper()
	ready := make(chan struct{})
	close(ready)
	e := &eurekube{registry: registry.New(time.Now)}
	for _, pod := range pods {
		e.list(pod)
	}
	first := make(chan struct{}, 1)
	e.publisher = snapshot.NewPublisher(snapshot.Config{
		Registry: e.registry, Ready: ready, Holdoff: 20 * time.Millisecond, MaxHoldoff: 200 * time.Millisecond,
		Published: func(uint64) {
			select {
			case first <- struct{}{}:
			default:
			}
		},
	})
	e.leases = lease.NewStore(lease.Config{Registry: e.registry, Mode: lease.ModeOn, Threshold: 0.85, Ceiling: time.Hour})
	e.Handler = api.New(api.Config{
		Snapshot: e.publisher.Current, Registry: e.registry, Leases: e.leases, MaxBody: 1 << 20,
		Shown: e.publisher.Shown, ShownUnlessFlooded: e.publisher.ShownUnlessFlooded, Self: instance("EUREKUBE", "self"),
		Stream: events.NewStream(events.Config{Snapshot: e.publisher.Current, WriteTimeout: 10 * time.Second}), WriteTimeout: 10 * time.Second,
	})
	background(t, e.publisher.Run, e.leases.Run)
	<-first
	return e
}

// background runs what runs until the test ends, and waits for it.
func background(t *testing.T, runs ...func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	for _, run := range runs {
		go func() { done <- run(ctx) }()
	}
	t.Cleanup(func() {
		cancel()
		for range runs {
			if err := <-done; err != nil {
				t.Errorf("Run = %v, want nil", err)
			}
		}
	})
}

// list has a pod listed as inst.
func (e *eurekube) list(inst *eureka.Instance) {
	e.registry.Replace(registry.OwnerPod, inst.App+"/"+inst.ID, registry.Listed(inst))
}

// drop has the pod gone that was listed as inst.
func (e *eurekube) drop(inst *eureka.Instance) {
	e.registry.Replace(registry.OwnerPod, inst.App+"/"+inst.ID)
}

// listed is the full list as the server answers it.
func (e *eurekube) listed(t *testing.T) []eureka.Application {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/eureka/apps", nil)
	r.Header.Set("Accept", "application/json")
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	apps, err := codec.DecodeApplications(codec.JSON, w.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return apps.Applications
}

// instance is an ordinary one that is UP.
func instance(app, id string) *eureka.Instance {
	return &eureka.Instance{
		ID: id, HostName: "10.0.0.5", App: app, IPAddr: "10.0.0.5", Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		Port: eureka.Port{Number: 8080, Enabled: true}, SecurePort: eureka.Port{Number: 443}, CountryID: 1,
		DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn}, Lease: eureka.Lease{RenewalIntervalInSecs: 30, DurationInSecs: 90},
		VIPAddress: strings.ToLower(app), SecureVIPAddress: strings.ToLower(app),
	}
}

// with is inst with a change.
func with(inst *eureka.Instance, change func(*eureka.Instance)) *eureka.Instance {
	change(inst)
	return inst
}

// servers are the client's on a network, tried in the order of their hosts: the
// order is random, so it is drawn until it is right.
func servers(t *testing.T, n *network, hosts ...string) *client.Servers {
	t.Helper()
	var urls []string
	for _, host := range hosts {
		urls = append(urls, "http://"+host+"/eureka/")
	}
	for {
		s, err := client.NewServers(client.Config{ServiceURLs: urls, HTTPClient: n.client()})
		if err != nil {
			t.Fatal(err)
		}
		if client.InOrder(s, urls) {
			return s
		}
	}
}

// ids are the ids of instances.
func ids(instances []*eureka.Instance) []string {
	var all []string
	for _, inst := range instances {
		all = append(all, inst.ID)
	}
	return all
}

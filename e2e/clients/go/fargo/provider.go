package main

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/hudl/fargo"

	"github.com/eurekube/eurekube/e2e/clients/go/control"
)

// provider registers the application and keeps its lease.
type provider struct {
	connection *fargo.EurekaConnection
	settings   control.Settings
	host       string
	port       int

	mu       sync.Mutex // guards the rest, which handlers change
	metadata map[string]string
	self     *fargo.Instance // as registered last
}

func newProvider(connection *fargo.EurekaConnection, settings control.Settings) (*provider, error) {
	host, port, err := settings.HostPort()
	if err != nil {
		return nil, err
	}
	p := &provider{
		connection: connection, settings: settings, host: host, port: port,
		metadata: map[string]string{"team": "checkout"},
	}
	p.self = p.describe()
	return p, nil
}

// describe is a new description for each registration: the library replaces the one
// that it sent by what it reads back, whose metadata it does not send in XML.
func (p *provider) describe() *fargo.Instance {
	instance := &fargo.Instance{
		InstanceId: p.settings.ID(), App: p.settings.Name,
		HostName: p.host, IPAddr: p.host,
		VipAddress: p.settings.Name, SecureVipAddress: p.settings.Name,
		Status: fargo.UP, Overriddenstatus: fargo.UNKNOWN,
		Port: p.port, PortEnabled: true, SecurePort: 443,
		HomePageUrl:    "http://" + p.settings.Address + "/",
		StatusPageUrl:  "http://" + p.settings.Address + "/info",
		HealthCheckUrl: "http://" + p.settings.Address + "/health",
		CountryId:      1,
		DataCenterInfo: fargo.DataCenterInfo{Name: fargo.MyOwn},
		LeaseInfo: fargo.LeaseInfo{
			RenewalIntervalInSecs: int32(p.settings.RenewalInterval / time.Second),
			DurationInSecs:        int32(p.settings.LeaseDuration / time.Second),
		},
	}
	for key, value := range p.metadata {
		instance.SetMetadataString(key, value)
	}
	return instance
}

// run registers, renews until the context is done, and then cancels.
func (p *provider) run(ctx context.Context) error {
	if err := p.connection.RegisterInstance(p.self); err != nil {
		return err
	}
	ticker := time.NewTicker(p.settings.RenewalInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			p.renew()
		case <-ctx.Done():
			return p.connection.DeregisterInstance(p.self)
		}
	}
}

// renew sends a heartbeat and registers again when the server has no such lease.
// The library has logged any error.
func (p *provider) renew() {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.connection.HeartBeatInstance(p.self)
	if code, ok := fargo.HTTPResponseStatusCode(err); ok && code == http.StatusNotFound {
		p.self = p.describe()
		_ = p.connection.ReregisterInstance(p.self)
	}
}

func (p *provider) ChangeMetadata(metadata map[string]string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, value := range metadata {
		if err := p.connection.AddMetadataString(p.self, key, value); err != nil {
			return err
		}
	}
	maps.Copy(p.metadata, metadata)
	return nil
}

// ReportStatus sets an override: the library knows no other way.
func (p *provider) ReportStatus(status string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.connection.UpdateInstanceStatus(p.self, fargo.StatusType(status))
}

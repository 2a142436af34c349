package main

import (
	"maps"
	"sync"
	"time"

	"github.com/eurekube/eurekube/e2e/clients/go/control"
	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// provider is the registration of the application.
type provider struct {
	registration *client.Registration

	mu       sync.Mutex // guards metadata
	metadata map[string]string
}

func newProvider(servers *client.Servers, settings control.Settings) (*provider, error) {
	host, port, err := settings.HostPort()
	if err != nil {
		return nil, err
	}
	p := &provider{metadata: map[string]string{"team": "checkout"}}
	p.registration, err = client.NewRegistration(servers, &eureka.Instance{
		ID: settings.ID(), App: settings.Name, HostName: host, IPAddr: host,
		Port:           eureka.Port{Number: port, Enabled: true},
		SecurePort:     eureka.Port{Number: 443},
		HomePageURL:    "http://" + settings.Address + "/",
		StatusPageURL:  "http://" + settings.Address + "/info",
		HealthCheckURL: "http://" + settings.Address + "/health",
		Lease: eureka.Lease{
			RenewalIntervalInSecs: int(settings.RenewalInterval / time.Second),
			DurationInSecs:        int(settings.LeaseDuration / time.Second),
		},
		Metadata: p.metadata,
	})
	return p, err
}

func (p *provider) ChangeMetadata(metadata map[string]string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.Copy(p.metadata, metadata)
	p.registration.SetMetadata(p.metadata)
	return nil
}

func (p *provider) ReportStatus(status string) error {
	p.registration.UpdateStatus(eureka.Status(status))
	return nil
}

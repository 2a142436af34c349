package codec_test

import (
	"encoding/json"
	"fmt"

	"github.com/eurekube/eurekube/eureka"
)

// The plain types read documents with the standard library and strict types:
// what a client sees that knows nothing of this package. A field of the wrong
// JSON type fails them.

type plainJSON struct {
	Instance     *plainInstance     `json:"instance"`
	Application  *plainApplication  `json:"application"`
	Applications *plainApplications `json:"applications"`
}

type plainApplications struct {
	VersionsDelta *int64              `json:"versions__delta,string"`
	AppsHashCode  *string             `json:"apps__hashcode"`
	Application   *[]plainApplication `json:"application"`
}

type plainApplication struct {
	Name     string           `json:"name"`
	Instance *[]plainInstance `json:"instance"`
}

type plainPort struct {
	Number  int    `json:"$"`
	Enabled string `json:"@enabled"`
}

type plainInstance struct {
	InstanceID           string          `json:"instanceId"`
	HostName             string          `json:"hostName"`
	App                  string          `json:"app"`
	IPAddr               string          `json:"ipAddr"`
	SID                  string          `json:"sid"`
	Status               eureka.Status   `json:"status"`
	OverriddenStatus     eureka.Status   `json:"overriddenStatus"`
	Port                 *plainPort      `json:"port"`
	SecurePort           *plainPort      `json:"securePort"`
	CountryID            int             `json:"countryId"`
	DataCenterInfo       plainDataCenter `json:"dataCenterInfo"`
	LeaseInfo            plainLease      `json:"leaseInfo"`
	Metadata             plainMetadata   `json:"metadata"`
	AppGroupName         string          `json:"appGroupName"`
	HomePageURL          string          `json:"homePageUrl"`
	StatusPageURL        string          `json:"statusPageUrl"`
	HealthCheckURL       string          `json:"healthCheckUrl"`
	SecureHealthCheckURL string          `json:"secureHealthCheckUrl"`
	VIPAddress           string          `json:"vipAddress"`
	SecureVIPAddress     string          `json:"secureVipAddress"`
	IsCoordinating       string          `json:"isCoordinatingDiscoveryServer"`
	LastUpdatedTimestamp plainTimestamp  `json:"lastUpdatedTimestamp"`
	LastDirtyTimestamp   int64           `json:"lastDirtyTimestamp,string"`
	ActionType           string          `json:"actionType"`
	ASGName              string          `json:"asgName"`
}

type plainLease struct {
	RenewalIntervalInSecs int   `json:"renewalIntervalInSecs"`
	DurationInSecs        int   `json:"durationInSecs"`
	RegistrationTimestamp int64 `json:"registrationTimestamp"`
	LastRenewalTimestamp  int64 `json:"lastRenewalTimestamp"`
	EvictionTimestamp     int64 `json:"evictionTimestamp"`
	ServiceUpTimestamp    int64 `json:"serviceUpTimestamp"`
}

type plainDataCenter struct {
	Class    string        `json:"@class"`
	Name     string        `json:"name"`
	Metadata plainMetadata `json:"metadata"`
}

// plainMetadata drops what Java clients drop.
type plainMetadata map[string]string

func (m *plainMetadata) UnmarshalJSON(data []byte) error {
	var entries map[string]string
	if err := json.Unmarshal(data, &entries); err != nil {
		return err
	}
	delete(entries, "@class")
	if len(entries) > 0 {
		*m = entries
	}
	return nil
}

// plainTimestamp is text in full documents and a number in compact ones.
type plainTimestamp int64

func (t *plainTimestamp) UnmarshalJSON(data []byte) error {
	if len(data) > 1 && data[0] == '"' {
		data = data[1 : len(data)-1]
	}
	return json.Unmarshal(data, (*int64)(t))
}

// words are the words that a client makes of the instance.
func (p *plainInstance) words() (*eureka.Instance, error) {
	if p.Port == nil || p.SecurePort == nil {
		return nil, fmt.Errorf("instance %q lacks a port", p.InstanceID)
	}
	d := eureka.DataCenterInfo{Name: p.DataCenterInfo.Name, Metadata: p.DataCenterInfo.Metadata}
	if d.Name != "" && d.Class() != p.DataCenterInfo.Class {
		return nil, fmt.Errorf("data centre %q has class %q", d.Name, p.DataCenterInfo.Class)
	}
	return &eureka.Instance{
		ID: p.InstanceID, HostName: p.HostName, App: p.App, IPAddr: p.IPAddr, SID: p.SID,
		Status: p.Status, OverriddenStatus: p.OverriddenStatus,
		Port:                          eureka.Port{Number: p.Port.Number, Enabled: p.Port.Enabled == "true"},
		SecurePort:                    eureka.Port{Number: p.SecurePort.Number, Enabled: p.SecurePort.Enabled == "true"},
		CountryID:                     p.CountryID,
		DataCenterInfo:                d,
		Lease:                         eureka.Lease(p.LeaseInfo),
		Metadata:                      p.Metadata,
		AppGroupName:                  p.AppGroupName,
		HomePageURL:                   p.HomePageURL,
		StatusPageURL:                 p.StatusPageURL,
		HealthCheckURL:                p.HealthCheckURL,
		SecureHealthCheckURL:          p.SecureHealthCheckURL,
		VIPAddress:                    p.VIPAddress,
		SecureVIPAddress:              p.SecureVIPAddress,
		IsCoordinatingDiscoveryServer: p.IsCoordinating == "true",
		LastUpdatedTimestamp:          int64(p.LastUpdatedTimestamp),
		LastDirtyTimestamp:            p.LastDirtyTimestamp,
		ActionType:                    eureka.ActionType(p.ActionType),
		ASGName:                       p.ASGName,
	}, nil
}

// words are the words that a client makes of the application.
func (p *plainApplication) words() (*eureka.Application, error) {
	if p.Instance == nil {
		return nil, fmt.Errorf("application %q has no list of instances", p.Name)
	}
	app := &eureka.Application{Name: p.Name}
	for n := range *p.Instance {
		i, err := (*p.Instance)[n].words()
		if err != nil {
			return nil, err
		}
		app.Instances = append(app.Instances, i)
	}
	return app, nil
}

// words are the words that a client makes of the collection.
func (p *plainApplications) words() (*eureka.Applications, error) {
	if p.VersionsDelta == nil || p.AppsHashCode == nil || p.Application == nil {
		return nil, fmt.Errorf("collection lacks a member")
	}
	apps := &eureka.Applications{VersionsDelta: *p.VersionsDelta, AppsHashCode: *p.AppsHashCode}
	for n := range *p.Application {
		app, err := (*p.Application)[n].words()
		if err != nil {
			return nil, err
		}
		apps.Applications = append(apps.Applications, *app)
	}
	return apps, nil
}

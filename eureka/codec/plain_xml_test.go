package codec_test

import (
	"encoding/xml"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/eurekube/eurekube/eureka"
)

// The plainXML types are the XML siblings of the plain ones: encoding/xml with
// its strict parser.

type plainXMLApplications struct {
	XMLName       xml.Name              `xml:"applications"`
	VersionsDelta *int64                `xml:"versions__delta"`
	AppsHashCode  *string               `xml:"apps__hashcode"`
	Application   []plainXMLApplication `xml:"application"`
}

type plainXMLApplication struct {
	XMLName  xml.Name           `xml:"application"`
	Name     string             `xml:"name"`
	Instance []plainXMLInstance `xml:"instance"`
}

type plainXMLPort struct {
	Number  int    `xml:",chardata"`
	Enabled string `xml:"enabled,attr"`
}

type plainXMLInstance struct {
	InstanceID           string             `xml:"instanceId"`
	HostName             string             `xml:"hostName"`
	App                  string             `xml:"app"`
	IPAddr               string             `xml:"ipAddr"`
	SID                  string             `xml:"sid"`
	Status               eureka.Status      `xml:"status"`
	OverriddenStatus     eureka.Status      `xml:"overriddenstatus"`
	Port                 *plainXMLPort      `xml:"port"`
	SecurePort           *plainXMLPort      `xml:"securePort"`
	CountryID            int                `xml:"countryId"`
	DataCenterInfo       plainXMLDataCenter `xml:"dataCenterInfo"`
	LeaseInfo            plainXMLLease      `xml:"leaseInfo"`
	Metadata             plainXMLMetadata   `xml:"metadata"`
	AppGroupName         string             `xml:"appGroupName"`
	HomePageURL          string             `xml:"homePageUrl"`
	StatusPageURL        string             `xml:"statusPageUrl"`
	HealthCheckURL       string             `xml:"healthCheckUrl"`
	SecureHealthCheckURL string             `xml:"secureHealthCheckUrl"`
	VIPAddress           string             `xml:"vipAddress"`
	SecureVIPAddress     string             `xml:"secureVipAddress"`
	IsCoordinating       string             `xml:"isCoordinatingDiscoveryServer"`
	LastUpdatedTimestamp int64              `xml:"lastUpdatedTimestamp"`
	LastDirtyTimestamp   int64              `xml:"lastDirtyTimestamp"`
	ActionType           string             `xml:"actionType"`
	ASGName              string             `xml:"asgName"`
}

type plainXMLLease struct {
	RenewalIntervalInSecs int   `xml:"renewalIntervalInSecs"`
	DurationInSecs        int   `xml:"durationInSecs"`
	RegistrationTimestamp int64 `xml:"registrationTimestamp"`
	LastRenewalTimestamp  int64 `xml:"lastRenewalTimestamp"`
	EvictionTimestamp     int64 `xml:"evictionTimestamp"`
	ServiceUpTimestamp    int64 `xml:"serviceUpTimestamp"`
}

type plainXMLDataCenter struct {
	Class    string           `xml:"class,attr"`
	Name     string           `xml:"name"`
	Metadata plainXMLMetadata `xml:"metadata"`
}

type plainXMLMetadata map[string]string

func (m *plainXMLMetadata) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var elements struct {
		Entries []struct {
			XMLName xml.Name
			Text    string `xml:",chardata"`
		} `xml:",any"`
	}
	if err := d.DecodeElement(&elements, &start); err != nil {
		return err
	}
	for _, entry := range elements.Entries {
		name := entry.XMLName.Local
		if entry.XMLName.Space != "" {
			name = entry.XMLName.Space + ":" + name // upstream's unescaped colon
		}
		if *m == nil {
			*m = plainXMLMetadata{}
		}
		(*m)[plainName(name)] = entry.Text
	}
	return nil
}

// plainName reads a key back from an element name as Java clients do: unit by
// unit of UTF-16.
func plainName(name string) string {
	var units []uint16
	rest := utf16.Encode([]rune(name))
	for len(rest) > 0 {
		switch {
		case len(rest) > 1 && rest[0] == '_' && rest[1] == '_':
			units, rest = append(units, '_'), rest[2:]
		case len(rest) > 1 && rest[0] == '_' && rest[1] == '-':
			units, rest = append(units, '$'), rest[2:]
		case len(rest) > 5 && rest[0] == '_' && rest[1] == '.':
			unit, err := strconv.ParseUint(string(utf16.Decode(rest[2:6])), 16, 16)
			if err != nil {
				panic(err)
			}
			units, rest = append(units, uint16(unit)), rest[6:]
		default:
			units, rest = append(units, rest[0]), rest[1:]
		}
	}
	return string(utf16.Decode(units))
}

// json is the same instance in the types of plain JSON, which know the way to
// the words.
func (p *plainXMLInstance) json() *plainInstance {
	instance := &plainInstance{
		InstanceID: p.InstanceID, HostName: p.HostName, App: p.App, IPAddr: p.IPAddr, SID: p.SID,
		Status: p.Status, OverriddenStatus: p.OverriddenStatus,
		CountryID: p.CountryID,
		DataCenterInfo: plainDataCenter{
			Class: p.DataCenterInfo.Class, Name: p.DataCenterInfo.Name, Metadata: plainMetadata(p.DataCenterInfo.Metadata),
		},
		LeaseInfo: plainLease(p.LeaseInfo), Metadata: plainMetadata(p.Metadata),
		AppGroupName: p.AppGroupName, HomePageURL: p.HomePageURL, StatusPageURL: p.StatusPageURL,
		HealthCheckURL: p.HealthCheckURL, SecureHealthCheckURL: p.SecureHealthCheckURL,
		VIPAddress: p.VIPAddress, SecureVIPAddress: p.SecureVIPAddress, IsCoordinating: p.IsCoordinating,
		LastUpdatedTimestamp: plainTimestamp(p.LastUpdatedTimestamp), LastDirtyTimestamp: p.LastDirtyTimestamp,
		ActionType: p.ActionType, ASGName: p.ASGName,
	}
	if p.Port != nil && p.SecurePort != nil {
		instance.Port, instance.SecurePort = (*plainPort)(p.Port), (*plainPort)(p.SecurePort)
	}
	return instance
}

// json is the same application in the types of plain JSON.
func (p *plainXMLApplication) json() *plainApplication {
	instances := []plainInstance{}
	for n := range p.Instance {
		instances = append(instances, *p.Instance[n].json())
	}
	return &plainApplication{Name: p.Name, Instance: &instances}
}

// json is the same collection in the types of plain JSON.
func (p *plainXMLApplications) json() *plainApplications {
	apps := []plainApplication{}
	for n := range p.Application {
		apps = append(apps, *p.Application[n].json())
	}
	return &plainApplications{VersionsDelta: p.VersionsDelta, AppsHashCode: p.AppsHashCode, Application: &apps}
}

// unmarshalXML reads one document with nothing after it.
func unmarshalXML(body []byte, v any) error {
	d := xml.NewDecoder(strings.NewReader(string(body)))
	return d.Decode(v)
}

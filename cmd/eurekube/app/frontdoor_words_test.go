package app

import (
	"encoding/xml"
	"strings"
)

// What a client reads of an answer that knows nothing of our codec, the same
// from both forms. A value of the wrong JSON type fails the reading.

type applications struct {
	VersionsDelta int64         `json:"versions__delta,string" xml:"versions__delta"`
	HashCode      string        `json:"apps__hashcode" xml:"apps__hashcode"`
	Applications  []application `json:"application" xml:"application"`
}

type application struct {
	Name      string     `json:"name" xml:"name"`
	Instances []instance `json:"instance" xml:"instance"`
}

type instance struct {
	ID                   string       `json:"instanceId" xml:"instanceId"`
	HostName             string       `json:"hostName" xml:"hostName"`
	App                  string       `json:"app" xml:"app"`
	IPAddr               string       `json:"ipAddr" xml:"ipAddr"`
	Status               string       `json:"status" xml:"status"`
	OverriddenStatus     string       `json:"overriddenStatus" xml:"overriddenstatus"`
	Port                 portInfo     `json:"port" xml:"port"`
	SecurePort           portInfo     `json:"securePort" xml:"securePort"`
	CountryID            int          `json:"countryId" xml:"countryId"`
	DataCenter           dataCenter   `json:"dataCenterInfo" xml:"dataCenterInfo"`
	Lease                leaseInfo    `json:"leaseInfo" xml:"leaseInfo"`
	Metadata             metadataInfo `json:"metadata" xml:"metadata"`
	HomePageURL          string       `json:"homePageUrl" xml:"homePageUrl"`
	StatusPageURL        string       `json:"statusPageUrl" xml:"statusPageUrl"`
	HealthCheckURL       string       `json:"healthCheckUrl" xml:"healthCheckUrl"`
	SecureHealthCheckURL string       `json:"secureHealthCheckUrl" xml:"secureHealthCheckUrl"`
	VIPAddress           string       `json:"vipAddress" xml:"vipAddress"`
	SecureVIPAddress     string       `json:"secureVipAddress" xml:"secureVipAddress"`
	Coordinating         bool         `json:"isCoordinatingDiscoveryServer,string" xml:"isCoordinatingDiscoveryServer"`
	LastUpdated          int64        `json:"lastUpdatedTimestamp,string" xml:"lastUpdatedTimestamp"`
	LastDirty            int64        `json:"lastDirtyTimestamp,string" xml:"lastDirtyTimestamp"`
	ActionType           string       `json:"actionType" xml:"actionType"`
}

type portInfo struct {
	Number  int    `json:"$" xml:",chardata"`
	Enabled string `json:"@enabled" xml:"enabled,attr"`
}

type dataCenter struct {
	Class string `json:"@class" xml:"class,attr"`
	Name  string `json:"name" xml:"name"`
}

type leaseInfo struct {
	RenewalIntervalInSecs int   `json:"renewalIntervalInSecs" xml:"renewalIntervalInSecs"`
	DurationInSecs        int   `json:"durationInSecs" xml:"durationInSecs"`
	RegistrationTimestamp int64 `json:"registrationTimestamp" xml:"registrationTimestamp"`
	LastRenewalTimestamp  int64 `json:"lastRenewalTimestamp" xml:"lastRenewalTimestamp"`
	EvictionTimestamp     int64 `json:"evictionTimestamp" xml:"evictionTimestamp"`
	ServiceUpTimestamp    int64 `json:"serviceUpTimestamp" xml:"serviceUpTimestamp"`
}

type metadataInfo map[string]string

// UnmarshalXML reads each element as an entry. XStream writes "_" in names
// twice.
func (m *metadataInfo) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var elements struct {
		Entries []struct {
			XMLName xml.Name
			Value   string `xml:",chardata"`
		} `xml:",any"`
	}
	if err := d.DecodeElement(&elements, &start); err != nil {
		return err
	}
	*m = metadataInfo{}
	for _, e := range elements.Entries {
		(*m)[strings.ReplaceAll(e.XMLName.Local, "__", "_")] = e.Value
	}
	return nil
}

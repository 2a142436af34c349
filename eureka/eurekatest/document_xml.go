package eurekatest

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
)

// xmlList is a list as a reader of XML parses it.
type xmlList struct {
	XMLName  xml.Name `xml:"applications"`
	Version  *int64   `xml:"versions__delta"`
	HashCode *string  `xml:"apps__hashcode"`
	Apps     []struct {
		Name      string        `xml:"name"`
		Instances []xmlDocument `xml:"instance"`
	} `xml:"application"`
}

type xmlDocument struct {
	ID               string   `xml:"instanceId"`
	App              string   `xml:"app"`
	IPAddr           string   `xml:"ipAddr"`
	Status           string   `xml:"status"`
	OverriddenStatus string   `xml:"overriddenstatus"`
	Port             *xmlPort `xml:"port"`
	SecurePort       *xmlPort `xml:"securePort"`
	DataCenter       struct {
		Name string `xml:"name"`
	} `xml:"dataCenterInfo"`
	Lease          xmlEntries  `xml:"leaseInfo"`
	Metadata       *xmlEntries `xml:"metadata"`
	VIP            string      `xml:"vipAddress"`
	IsCoordinating *bool       `xml:"isCoordinatingDiscoveryServer"`
	LastUpdated    *int64      `xml:"lastUpdatedTimestamp"`
	ActionType     string      `xml:"actionType"`
	// Others are the elements that are named nowhere above.
	Others []xmlEntry `xml:",any"`
}

type xmlPort struct {
	Number  int  `xml:",chardata"`
	Enabled bool `xml:"enabled,attr"`
}

// xmlEntries are the elements inside an element.
type xmlEntries struct {
	Entries []xmlEntry `xml:",any"`
}

// byName is what elements hold by their names.
func byName(entries []xmlEntry) map[string]string {
	values := map[string]string{}
	for _, entry := range entries {
		values[entry.XMLName.Local] = entry.Value
	}
	return values
}

type xmlEntry struct {
	XMLName xml.Name
	Value   string `xml:",chardata"`
}

// xmlOf reads the check's only instance from the list in XML.
func (s *session) xmlOf(ctx context.Context, headers ...header) (xmlDocument, error) {
	a, err := s.expect(ctx, http.StatusOK, http.MethodGet, "/apps", "", headers...)
	if err != nil {
		return xmlDocument{}, err
	}
	if err := expectType(a, "application/xml"); err != nil {
		return xmlDocument{}, err
	}
	var list xmlList
	if err := xml.Unmarshal(a.body, &list); err != nil {
		return xmlDocument{}, fmt.Errorf("%s: %w", a, err)
	}
	if list.Version == nil || list.HashCode == nil {
		return xmlDocument{}, errors.New("versions__delta or apps__hashcode is missing")
	}
	for _, app := range list.Apps {
		if app.Name == s.app && len(app.Instances) == 1 {
			return app.Instances[0], nil
		}
	}
	return xmlDocument{}, fmt.Errorf("GET /apps as XML: %s does not have one instance", s.app)
}

package codec_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// orders is the instance that the field cases speak of.
func orders() *eureka.Instance {
	return &eureka.Instance{
		ID: "10.0.0.5:orders:8080", HostName: "10.0.0.5", App: "ORDERS", IPAddr: "10.0.0.5",
		Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		Port:       eureka.Port{Number: 8080, Enabled: true},
		SecurePort: eureka.Port{Number: 443},
		CountryID:  1, DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
		Lease:      eureka.Lease{RenewalIntervalInSecs: 30, DurationInSecs: 90},
		VIPAddress: "orders", SecureVIPAddress: "orders",
		LastUpdatedTimestamp: 1700000000001, LastDirtyTimestamp: 1700000000000, ActionType: eureka.ActionAdded,
	}
}

// jsonTree is a document as a client without types sees it.
func jsonTree(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var tree map[string]any
	if err := json.Unmarshal(body, &tree); err != nil {
		t.Fatalf("json.Unmarshal(%s): %v", body, err)
	}
	return tree
}

func TestFieldCase1_EmptyListIsAList(t *testing.T) {
	for _, f := range []codec.Form{codec.JSON, codec.JSONCompact} {
		body := f.AppendApplications(nil, &eureka.Applications{VersionsDelta: 1})
		want := map[string]any{"applications": map[string]any{
			"versions__delta": "1", "apps__hashcode": "", "application": []any{},
		}}
		if diff := cmp.Diff(want, jsonTree(t, body)); diff != "" {
			t.Errorf("%v: empty registry differs (-want +got):\n%s", f, diff)
		}
	}
}

func TestFieldCase2_OneIsAListOfOne(t *testing.T) {
	app := eureka.Application{Name: "ORDERS", Instances: []*eureka.Instance{orders()}}
	for _, f := range []codec.Form{codec.JSON, codec.JSONCompact} {
		apps := f.AppendApplications(nil, &eureka.Applications{Applications: []eureka.Application{app}})
		list, ok := jsonTree(t, apps)["applications"].(map[string]any)["application"].([]any)
		if !ok || len(list) != 1 {
			t.Fatalf("%v: application in %s is no list of one", f, apps)
		}
		for _, tree := range []any{list[0], jsonTree(t, f.AppendApplication(nil, &app))["application"]} {
			instances, ok := tree.(map[string]any)["instance"].([]any)
			if !ok || len(instances) != 1 || tree.(map[string]any)["name"] != "ORDERS" {
				t.Errorf("%v: instance in %v is no list of one", f, tree)
			}
		}
	}
}

func TestFieldCase3_TypesOfJSONValues(t *testing.T) {
	tree := jsonTree(t, codec.JSON.AppendInstance(nil, orders()))["instance"].(map[string]any)
	want := map[string]any{
		"port":                          map[string]any{"$": 8080.0, "@enabled": "true"},
		"lastUpdatedTimestamp":          "1700000000001",
		"lastDirtyTimestamp":            "1700000000000",
		"isCoordinatingDiscoveryServer": "false",
		"countryId":                     1.0,
		"leaseInfo": map[string]any{
			"renewalIntervalInSecs": 30.0, "durationInSecs": 90.0, "registrationTimestamp": 0.0,
			"lastRenewalTimestamp": 0.0, "evictionTimestamp": 0.0, "serviceUpTimestamp": 0.0,
		},
	}
	for name, value := range want {
		if diff := cmp.Diff(value, tree[name]); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", name, diff)
		}
	}
	apps := jsonTree(t, codec.JSON.AppendApplications(nil, &eureka.Applications{VersionsDelta: 7}))
	if got := apps["applications"].(map[string]any)["versions__delta"]; got != "7" {
		t.Errorf("versions__delta = %#v, want text", got)
	}
}

func TestFieldCase16_UnderscoresInNames(t *testing.T) {
	i := orders()
	i.Metadata = map[string]string{"team_name": "x"}
	if body := codec.JSON.AppendInstance(nil, i); !strings.Contains(string(body), `"metadata":{"team_name":"x"}`) {
		t.Errorf("JSON key is not verbatim in %s", body)
	}
	if body := codec.XML.AppendInstance(nil, i); !strings.Contains(string(body), `<team__name>x</team__name>`) {
		t.Errorf("XML name is not escaped in %s", body)
	}
	for f := range codec.Form(codec.Forms) {
		body := string(f.AppendApplications(nil, &eureka.Applications{VersionsDelta: 3, AppsHashCode: "UP_1_"}))
		for _, name := range []string{"versions__delta", "apps__hashcode"} {
			if !strings.Contains(body, name) {
				t.Errorf("%v: no %s in %s", f, name, body)
			}
		}
	}
}

// TestFieldCase19_PrometheusReadsXML reads the fields that Prometheus reads
// with the types that it has for them.
func TestFieldCase19_PrometheusReadsXML(t *testing.T) {
	app := eureka.Application{Name: "ORDERS", Instances: []*eureka.Instance{orders()}}
	body := codec.XML.AppendApplications(nil, &eureka.Applications{VersionsDelta: 5, Applications: []eureka.Application{app}})
	if got := codec.XML.ContentType(); got != "application/xml" {
		t.Errorf("ContentType() = %q", got)
	}
	type port struct {
		Port    int  `xml:",chardata"`
		Enabled bool `xml:"enabled,attr"`
	}
	var read struct {
		VersionsDelta int `xml:"versions__delta"`
		Applications  []struct {
			Instances []struct {
				Port           port `xml:"port"`
				SecurePort     port `xml:"securePort"`
				CountryID      int  `xml:"countryId"`
				DataCenterInfo struct {
					Class string `xml:"class,attr"`
				} `xml:"dataCenterInfo"`
				IsCoordinatingDiscoveryServer bool `xml:"isCoordinatingDiscoveryServer"`
			} `xml:"instance"`
		} `xml:"application"`
	}
	if err := xml.Unmarshal(body, &read); err != nil {
		t.Fatal(err)
	}
	i := read.Applications[0].Instances[0]
	if read.VersionsDelta != 5 || i.Port != (port{8080, true}) || i.SecurePort != (port{443, false}) || i.CountryID != 1 {
		t.Errorf("read %+v", read)
	}
	if want := "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo"; i.DataCenterInfo.Class != want {
		t.Errorf("class = %q, want %q", i.DataCenterInfo.Class, want)
	}
	if want := `<port enabled="true">8080</port>`; !strings.Contains(string(body), want) {
		t.Errorf("no %s in %s", want, body)
	}
}

func TestFieldCase22_BothPortsAndMetadataAreAlwaysThere(t *testing.T) {
	i := orders()
	i.Port = eureka.Port{}
	tree := jsonTree(t, codec.JSON.AppendInstance(nil, i))["instance"].(map[string]any)
	want := map[string]any{
		"port":       map[string]any{"$": 0.0, "@enabled": "false"},
		"securePort": map[string]any{"$": 443.0, "@enabled": "false"},
		"ipAddr":     "10.0.0.5",
		"metadata":   map[string]any{"@class": "java.util.Collections$EmptyMap"},
	}
	for name, value := range want {
		if diff := cmp.Diff(value, tree[name]); diff != "" {
			t.Errorf("%s differs (-want +got):\n%s", name, diff)
		}
	}
	for _, f := range []codec.Form{codec.XML, codec.XMLCompact} {
		body := string(f.AppendApplication(nil, &eureka.Application{Name: "ORDERS", Instances: []*eureka.Instance{i}}))
		for name, number := range map[string]int{"port": 0, "securePort": 443} {
			if want := fmt.Sprintf(`<%s enabled="false">%d</%[1]s>`, name, number); !strings.Contains(body, want) {
				t.Errorf("%v: no %s in %s", f, want, body)
			}
		}
	}
}

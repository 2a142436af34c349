package eurekatest

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
)

var formChecks = []Check{
	{Name: "form/json", Fact: "The list in JSON has the names and types that Netflix's decoders read.", run: formJSON},
	{Name: "form/xml", Fact: "Without Accept the list is XML, with the elements, numbers and attributes that readers of XML parse.", run: formXML},
	{Name: "form/compact", Fact: "The compact form, in JSON and XML, leaves out lease and metadata, and keeps what is called.", run: formCompact},
	{Name: "form/no-metadata", Fact: "An instance without metadata has an empty object of it in JSON, and an empty element in XML.", run: formNoMetadata},
	{Name: "form/xml-names", Fact: "Metadata keys that are no names of XML elements are escaped as Netflix's decoders undo it.", run: formXMLNames},
	{Name: "form/xml-colon", Fact: "A colon in a metadata key does not break a reader that knows namespaces.", Difference: "A colon in a metadata key, in XML", run: formXMLColon},
	{Name: "form/xml-status", Fact: "One instance in XML has its real status.", Difference: "Status of one instance in XML", run: formXMLStatus},
	{Name: "form/accept-both", Fact: "Who accepts JSON and XML gets what the label says.", Difference: "`Accept` with both", run: formAcceptBoth},
	{Name: "form/accept-neither", Fact: "Who accepts neither gets XML.", Difference: "`Accept` that admits neither JSON nor XML", run: formAcceptNeither},
}

func formJSON(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	if err := s.eventually(ctx, func() error { return s.expectListed(ctx, "one") }); err != nil {
		return err
	}
	all, err := s.list(ctx, "/apps") // decoding it judges the types
	if err != nil {
		return err
	}
	got := all.of(s.app)[0]
	return errors.Join(
		equal("versions__delta is there", all.Version != "", true), equal("actionType", got.ActionType, "ADDED"),
		equal("isCoordinatingDiscoveryServer", got.IsCoordinating, "false"), equal("countryId", got.CountryID, 1),
		equal("lastDirtyTimestamp", got.LastDirtyTimestamp, fmt.Sprint(firstDirty)), equal("lastUpdatedTimestamp is set", got.LastUpdated > "0", true),
		equal("dataCenterInfo.@class", got.DataCenter["@class"], any("com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo")),
	)
}

func formXML(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		got, err := s.xmlOf(ctx)
		if err != nil {
			return err
		}
		if got.Port == nil || got.SecurePort == nil || got.LastUpdated == nil || got.IsCoordinating == nil {
			return errors.New("port, securePort, lastUpdatedTimestamp or isCoordinatingDiscoveryServer is missing")
		}
		lease := byName(got.Lease.Entries)
		return errors.Join(s.expectXMLTexts(got), has("leaseInfo", lease, leaseFields...),
			equal("instanceId", got.ID, "one"), equal("app", got.App, s.app), equal("ipAddr", got.IPAddr, "192.0.2.7"),
			equal("status", got.Status, "UP"), equal("overriddenstatus", got.OverriddenStatus, "UNKNOWN"),
			equal("port", *got.Port, xmlPort{8080, true}), equal("securePort", *got.SecurePort, xmlPort{443, false}),
			equal("dataCenterInfo name", got.DataCenter.Name, "MyOwn"), equal("durationInSecs", lease["durationInSecs"], "90"),
			equal("vipAddress", got.VIP, s.vip()), equal("actionType", got.ActionType, "ADDED"),
		)
	})
}

// expectXMLTexts compares the other elements of an instance with what was sent.
func (s *session) expectXMLTexts(got xmlDocument) error {
	sent, others := s.instance("one"), byName(got.Others)
	errs := []error{equal("countryId", others["countryId"], "1")}
	for _, name := range []string{"hostName", "secureVipAddress", "homePageUrl", "statusPageUrl", "healthCheckUrl", "secureHealthCheckUrl", "appGroupName", "asgName", "sid", "lastDirtyTimestamp"} {
		errs = append(errs, equal(name, others[name], sentText(sent, name)))
	}
	return errors.Join(errs...)
}

// formNoMetadata looks at the list, which every decoder reads as a whole.
func formNoMetadata(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one").without("metadata")); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		inXML, err := s.xmlOf(ctx, asXML)
		if err != nil {
			return err
		}
		inJSON, err := s.find(ctx, "one")
		if err != nil {
			return err
		}
		return errors.Join(
			equal("metadata is there in XML", inXML.Metadata != nil, true), equal("metadata is an object in JSON", inJSON.Metadata != nil, true),
		)
	})
}

func formCompact(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		got, err := s.xmlOf(ctx, asXML, compact)
		if err != nil {
			return err
		}
		if len(got.Lease.Entries) > 0 || got.Metadata != nil && len(got.Metadata.Entries) > 0 || got.IPAddr != "192.0.2.7" || got.Port == nil {
			return fmt.Errorf("compact XML is %+v", got)
		}
		a, err := s.get(ctx, "/apps/"+s.app, asJSON, compact)
		if err != nil {
			return err
		}
		var wrapped struct {
			Application struct {
				Instance []map[string]any `json:"instance"`
			} `json:"application"`
		}
		if err := json.Unmarshal(a.body, &wrapped); err != nil || len(wrapped.Application.Instance) != 1 {
			return fmt.Errorf("%s, want one instance", a)
		}
		for field, want := range map[string]bool{"instanceId": true, "ipAddr": true, "port": true, "vipAddress": true, "leaseInfo": false, "metadata": false, "countryId": false} {
			if _, got := wrapped.Application.Instance[0][field]; got != want {
				return fmt.Errorf("compact JSON has %s: %t, want %t", field, got, want)
			}
		}
		return nil
	})
}

// expectXMLNames registers metadata and fails unless the list in XML has the
// element names.
func (s *session) expectXMLNames(ctx context.Context, names map[string]string) error {
	metadata := fields{}
	for key := range names {
		metadata[key] = "x"
	}
	if err := s.register(ctx, s.instance("one").with(fields{"metadata": metadata})); err != nil {
		return err
	}
	return s.eventually(ctx, func() error {
		got, err := s.xmlOf(ctx, asXML)
		if err != nil {
			return err
		}
		if got.Metadata == nil {
			return errors.New("metadata is missing")
		}
		listed := byName(got.Metadata.Entries)
		for key, name := range names {
			if _, there := listed[name]; !there {
				return fmt.Errorf("metadata key %q is not <%s> but among %v", key, name, listed)
			}
		}
		return nil
	})
}

func formXMLNames(ctx context.Context, s *session) error {
	return s.expectXMLNames(ctx, map[string]string{"team_name": "team__name", "a b": "a_.0020b", "9lives": "_.0039lives", "k8s.io/team": "k8s.io_.002fteam", "dollar$": "dollar_-"})
}

func formXMLColon(ctx context.Context, s *session) error {
	return s.expectXMLNames(ctx, map[string]string{"app:role": "app_.003arole"})
}

func formXMLStatus(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one").with(fields{"status": "OUT_OF_SERVICE"})); err != nil {
		return err
	}
	a, err := s.expect(ctx, http.StatusOK, http.MethodGet, s.instancePath("one"), "", asXML)
	if err != nil {
		return err
	}
	var got xmlDocument
	if err := xml.Unmarshal(a.body, &got); err != nil {
		return fmt.Errorf("%s: %w", a, err)
	}
	return equal("status", got.Status, "OUT_OF_SERVICE")
}

func formAcceptBoth(ctx context.Context, s *session) error {
	a, err := s.expect(ctx, http.StatusOK, http.MethodGet, "/apps", "", header{"Accept", "application/xml, application/json"})
	if err != nil {
		return err
	}
	if bytes.HasPrefix(a.body, []byte("{")) {
		return expectType(a, "application/json")
	}
	return expectType(a, "application/xml")
}

func formAcceptNeither(ctx context.Context, s *session) error {
	a, err := s.expect(ctx, http.StatusOK, http.MethodGet, "/apps", "", header{"Accept", "text/html"})
	if err != nil {
		return err
	}
	return expectType(a, "application/xml")
}

package eurekatest

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

var registrationChecks = []Check{
	{Name: "register/json", Fact: "A registration in JSON is answered 204 without a body, and is listed as it was sent.", run: registerJSON},
	{Name: "register/xml", Fact: "A registration in XML is taken as one in JSON is.", run: registerXML},
	{Name: "register/spring", Fact: "A registration as Spring's HTTP clients write it, with numbers, booleans and nulls, is taken.", run: registerSpring},
	{Name: "register/defaults", Fact: "Without a lease block an instance is listed with 30 and 90 seconds.", run: registerDefaults},
	{Name: "register/any-case", Fact: "An application is one, in whatever case its name is written; it is listed in upper case.", run: registerAnyCase},
	{Name: "register/opaque-id", Fact: "An instance id is kept byte for byte, and found however a client encodes it.", run: registerOpaqueID},
	{Name: "register/host-as-id", Fact: "An instance without an id goes by its host name.", run: registerHostAsID},
	{Name: "register/older", Fact: "A registration with an older lastDirtyTimestamp is answered 204, and what was there stays.", run: registerOlder},
	{Name: "register/same-stamp", Fact: "A registration with the same lastDirtyTimestamp replaces what was there.", run: registerSameStamp},
	{Name: "register/default-vip", Fact: "An instance without a VIP address gets its application's name.", Difference: "VIP of a registration without one", run: registerDefaultVIP},
	{Name: "register/app-of-url", Fact: "An instance that does not name its application is of the one in the URL.", Difference: "App of a registration without one", run: registerAppOfURL},
	{Name: "register/reported-status", Fact: "A status that a client reports replaces the one that it reported before.", Difference: "A status that a client reports", run: registerReportedStatus},
}

func registerJSON(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one")); err != nil {
		return err
	}
	if err := s.eventually(ctx, func() error { return s.expectListed(ctx, "one") }); err != nil {
		return err
	}
	return s.expectAsSent(ctx, s.instance("one"))
}

// sentText is a text that was sent as it is listed: null is none, and so is the sid
// that says so.
func sentText(sent fields, name string) string {
	text, _ := sent[name].(string)
	if name == "sid" && text == "na" {
		return ""
	}
	return text
}

// expectAsSent compares an instance with what was sent of it, in JSON or as
// xmlInstance.
func (s *session) expectAsSent(ctx context.Context, sent fields) error {
	id := sentText(sent, "instanceId")
	got, err := s.find(ctx, id)
	if err != nil {
		return err
	}
	if got.Port == nil || got.SecurePort == nil {
		return errors.New("port or securePort is missing")
	}
	var texts []error
	for name, text := range map[string]string{
		"homePageUrl": got.HomePageURL, "statusPageUrl": got.StatusPageURL, "healthCheckUrl": got.HealthCheckURL, "secureHealthCheckUrl": got.SecureHealthURL,
		"appGroupName": got.AppGroupName, "asgName": got.ASGName, "sid": got.SID,
	} {
		texts = append(texts, equal(name, text, sentText(sent, name)))
	}
	return errors.Join(errors.Join(texts...), has("leaseInfo", got.Lease, leaseFields...),
		equal("instanceId", got.ID, id), equal("app", got.App, s.app),
		equal("hostName", got.HostName, "192.0.2.7"), equal("ipAddr", got.IPAddr, "192.0.2.7"),
		equal("status", got.Status, "UP"), equal("overriddenStatus", got.OverriddenStatus, "UNKNOWN"),
		equal("port", *got.Port, portDocument{8080, "true"}), equal("securePort", *got.SecurePort, portDocument{443, "false"}),
		equal("vipAddress", got.VIP, s.vip()), equal("secureVipAddress", got.SecureVIP, s.vip()),
		equal("metadata.team", got.Metadata["team"], "checkout"),
		equal("dataCenterInfo.name", got.DataCenter["name"], any("MyOwn")),
		equal("durationInSecs", got.Lease["durationInSecs"], 90), equal("evictionTimestamp", got.Lease["evictionTimestamp"], 0),
		equal("registrationTimestamp is set", got.Lease["registrationTimestamp"] > 0, true),
		equal("serviceUpTimestamp is set", got.Lease["serviceUpTimestamp"] > 0, true),
	)
}

func registerXML(ctx context.Context, s *session) error {
	s.willCancel(s.instancePath("one"))
	if err := s.expectEmpty(ctx, http.StatusNoContent, http.MethodPost, "/apps/"+s.app, s.xmlInstance("one"), sendXML, asJSON); err != nil {
		return err
	}
	return s.expectAsSent(ctx, s.instance("one"))
}

func registerSpring(ctx context.Context, s *session) error {
	inst := s.instance("one").with(fields{
		"lastDirtyTimestamp": int64(firstDirty), "lastUpdatedTimestamp": int64(firstDirty), "isCoordinatingDiscoveryServer": false,
		"appGroupName": nil, "secureHealthCheckUrl": nil, "asgName": nil, "actionType": nil, "sid": "na", "countryId": 1,
		"overriddenStatus": "UNKNOWN",
		"leaseInfo": fields{"renewalIntervalInSecs": 30, "durationInSecs": 90, "registrationTimestamp": 0,
			"lastRenewalTimestamp": 0, "evictionTimestamp": 0, "serviceUpTimestamp": 0},
	})
	if err := s.register(ctx, inst); err != nil {
		return err
	}
	return s.expectAsSent(ctx, inst)
}

func registerDefaults(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one").without("leaseInfo")); err != nil {
		return err
	}
	got, err := s.find(ctx, "one")
	if err != nil {
		return err
	}
	return errors.Join(equal("renewalIntervalInSecs", got.Lease["renewalIntervalInSecs"], 30), equal("durationInSecs", got.Lease["durationInSecs"], 90))
}

func registerAnyCase(ctx context.Context, s *session) error {
	mixed := strings.ToLower(s.app[:1]) + s.app[1:]
	for id, app := range map[string]string{"one": s.app, "two": mixed} {
		body := s.instance(id).with(fields{"app": app}).json()
		s.willCancel(s.instancePath(id))
		if err := s.expectEmpty(ctx, http.StatusNoContent, http.MethodPost, "/apps/"+app, body, sendJSON); err != nil {
			return err
		}
	}
	if err := s.put(ctx, http.StatusOK, "/apps/"+strings.ToLower(s.app)+"/one"); err != nil {
		return err
	}
	return s.eventually(ctx, func() error { return s.expectListed(ctx, "one", "two") })
}

func registerOpaqueID(ctx context.Context, s *session) error {
	for _, id := range []string{"192.0.2.7:svc:80", "svc#1.2.0", "my svc:1", "a+b", "Ünïcode"} {
		if err := s.register(ctx, s.instance(id)); err != nil {
			return err
		}
		encodings := []string{url.PathEscape(id), strings.ReplaceAll(url.QueryEscape(id), "+", "%20")}
		for _, encoded := range encodings {
			if err := s.put(ctx, http.StatusOK, "/apps/"+s.app+"/"+encoded); err != nil {
				return err
			}
		}
		got, err := s.find(ctx, id)
		if err != nil {
			return err
		}
		if err := equal("instanceId", got.ID, id); err != nil {
			return err
		}
	}
	return nil
}

func registerHostAsID(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("").without("instanceId").with(fields{"hostName": "node-1.example"})); err != nil {
		return err
	}
	if err := s.put(ctx, http.StatusOK, s.instancePath("node-1.example")); err != nil {
		return err
	}
	return s.expectEmpty(ctx, http.StatusOK, http.MethodDelete, s.instancePath("node-1.example"), "")
}

func registerOlder(ctx context.Context, s *session) error {
	older := s.instance("one").with(fields{"lastDirtyTimestamp": "1600000000000", "metadata": fields{"team": "another"}})
	if err := errors.Join(s.register(ctx, s.instance("one")), s.register(ctx, older)); err != nil {
		return err
	}
	return s.expectAsSent(ctx, s.instance("one"))
}

func registerSameStamp(ctx context.Context, s *session) error {
	same := s.instance("one").with(fields{"metadata": fields{"team": "another"}, "status": "DOWN"})
	if err := errors.Join(s.register(ctx, s.instance("one")), s.register(ctx, same)); err != nil {
		return err
	}
	got, err := s.find(ctx, "one")
	if err != nil {
		return err
	}
	return errors.Join(equal("metadata.team", got.Metadata["team"], "another"), equal("status", got.Status, "DOWN"))
}

func registerDefaultVIP(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one").with(fields{"vipAddress": nil})); err != nil {
		return err
	}
	got, err := s.find(ctx, "one")
	if err != nil {
		return err
	}
	return equal("vipAddress", got.VIP, strings.ToLower(s.app))
}

func registerAppOfURL(ctx context.Context, s *session) error {
	if err := s.register(ctx, s.instance("one").without("app")); err != nil {
		return err
	}
	return s.expectAsSent(ctx, s.instance("one"))
}

func registerReportedStatus(ctx context.Context, s *session) error {
	later := s.instance("one").with(fields{"lastDirtyTimestamp": "1700000001000"})
	if err := errors.Join(s.register(ctx, s.instance("one").with(fields{"status": "OUT_OF_SERVICE"})), s.register(ctx, later)); err != nil {
		return err
	}
	return s.expectStatus(ctx, "one", "UP")
}

package eurekatest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
)

// fields are an instance to register, as JSON spells it. A check leaves fields
// out or breaks them at will.
type fields map[string]any

// firstDirty is the lastDirtyTimestamp of a registration unless a check needs
// another, in milliseconds since 1970.
const firstDirty = 1_700_000_000_000

// instance is a registration that every server takes. Its address is one for
// documentation (RFC 5737): nobody is called.
func (s *session) instance(id string) fields {
	return fields{
		"instanceId": id, "app": s.app, "hostName": "192.0.2.7", "ipAddr": "192.0.2.7", "status": "UP",
		"port": fields{"$": 8080, "@enabled": "true"}, "securePort": fields{"$": 443, "@enabled": "false"},
		"vipAddress": s.vip(), "secureVipAddress": s.vip(),
		"dataCenterInfo": fields{"@class": "com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo", "name": "MyOwn"},
		"leaseInfo":      fields{"renewalIntervalInSecs": 30, "durationInSecs": 90},
		"metadata":       fields{"team": "checkout"}, "lastDirtyTimestamp": fmt.Sprint(firstDirty),
		"homePageUrl": homePage, "statusPageUrl": "http://192.0.2.7:8080/actuator/info",
		"healthCheckUrl": "http://192.0.2.7:8080/actuator/health", "secureHealthCheckUrl": "https://192.0.2.7/actuator/health",
		"appGroupName": "SHOP", "asgName": "shop-v001", "sid": "shop",
	}
}

// homePage has characters that XML escapes.
const homePage = `http://192.0.2.7:8080/?a=b&c=<d>"e'`

// with is f with some fields changed.
func (f fields) with(changed fields) fields {
	f = maps.Clone(f)
	maps.Copy(f, changed)
	return f
}

// without is f without a field.
func (f fields) without(name string) fields {
	f = maps.Clone(f)
	delete(f, name)
	return f
}

// json is the body of a registration.
func (f fields) json() string {
	text, err := json.Marshal(fields{"instance": f})
	if err != nil {
		panic(err) // texts and numbers alone
	}
	return string(text)
}

// escaped is a text as XML holds it.
func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	return b.String()
}

// vip is the VIP address of the check's instances, unique as its app.
func (s *session) vip() string { return "vip-of-" + s.app }

// xmlInstance is the body of a registration as XML clients write it by hand.
func (s *session) xmlInstance(id string) string {
	return "<instance><instanceId>" + escaped(id) + "</instanceId><hostName>192.0.2.7</hostName><app>" + s.app + "</app><ipAddr>192.0.2.7</ipAddr><status>UP</status>" +
		`<port enabled="true">8080</port><securePort enabled="false">443</securePort>` +
		"<vipAddress>" + s.vip() + "</vipAddress><secureVipAddress>" + s.vip() + "</secureVipAddress>" +
		`<dataCenterInfo class="com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo"><name>MyOwn</name></dataCenterInfo>` +
		"<leaseInfo><renewalIntervalInSecs>30</renewalIntervalInSecs><durationInSecs>90</durationInSecs></leaseInfo>" +
		"<metadata><team>checkout</team></metadata>" +
		"<homePageUrl>" + escaped(homePage) + "</homePageUrl><statusPageUrl>http://192.0.2.7:8080/actuator/info</statusPageUrl>" +
		"<healthCheckUrl>http://192.0.2.7:8080/actuator/health</healthCheckUrl><secureHealthCheckUrl>https://192.0.2.7/actuator/health</secureHealthCheckUrl>" +
		"<appGroupName>SHOP</appGroupName><asgName>shop-v001</asgName><sid>shop</sid></instance>"
}

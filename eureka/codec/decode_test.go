package codec_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// decoded is what an instance with nothing but the defaults of the protocol
// is, with one change.
func decoded(change func(*eureka.Instance)) *eureka.Instance {
	i := &eureka.Instance{
		Status:           eureka.StatusUp,
		OverriddenStatus: eureka.StatusUnknown,
		Port:             eureka.Port{Number: 7001, Enabled: true},
		SecurePort:       eureka.Port{Number: 7002},
		CountryID:        1,
		Lease:            eureka.Lease{RenewalIntervalInSecs: 30, DurationInSecs: 90},
	}
	change(i)
	return i
}

// readings are documents that are taken, and how what they say differs from the
// defaults.
type readings []struct {
	name   string
	form   codec.Form
	body   string
	change func(*eureka.Instance)
}

func (tests readings) run(t *testing.T) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := codec.DecodeInstance(tt.form, []byte(tt.body))
			if err != nil {
				t.Fatalf("DecodeInstance(%v, %s): %v", tt.form, tt.body, err)
			}
			if diff := cmp.Diff(decoded(tt.change), got); diff != "" {
				t.Errorf("DecodeInstance(%v, %s) differs (-want +got):\n%s", tt.form, tt.body, diff)
			}
		})
	}
}

func TestDecodeInstanceIsLenientAboutDocuments(t *testing.T) {
	readings{
		{"nothing but defaults", codec.JSON, `{"instance":{}}`, func(*eureka.Instance) {}},
		{"empty XML element", codec.XML, `<instance/>`, func(*eureka.Instance) {}},
		{"compact form", codec.JSONCompact, `{"instance":{"hostName":"h"}}`, func(i *eureka.Instance) { i.HostName = "h" }},
		{"unwrapped", codec.JSON, `{"hostName":"h"}`, func(i *eureka.Instance) { i.HostName = "h" }},
		{"byte order mark", codec.JSON, "\uFEFF" + `{"instance":{"hostName":"h"}}`, func(i *eureka.Instance) { i.HostName = "h" }},
		{"byte order mark and declaration", codec.XML, "\uFEFF<?xml version='1.0' encoding='ISO-8859-1'?>\n<!-- hi -->\n<instance><hostName>ż</hostName></instance>", func(i *eureka.Instance) { i.HostName = "ż" }},
		{"text after the document", codec.JSON, `{"instance":{"hostName":"h"}} and more`, func(i *eureka.Instance) { i.HostName = "h" }},
		{"nulls are absent", codec.JSON, `{"instance":{"hostName":null,"status":null,"overriddenStatus":null,"port":null,"securePort":null,"countryId":null,"leaseInfo":null,"metadata":null,"dataCenterInfo":null,"isCoordinatingDiscoveryServer":null,"lastDirtyTimestamp":null,"actionType":null,"asgName":null}}`, func(*eureka.Instance) {}},
		{"null after a value", codec.JSON, `{"instance":{"status":"DOWN","status":null}}`, func(*eureka.Instance) {}},
		{"last duplicate wins", codec.JSON, `{"instance":{"status":"DOWN","hostName":"a","status":"STARTING","hostName":"b"}}`, func(i *eureka.Instance) { i.Status, i.HostName = eureka.StatusStarting, "b" }},
		{"empty text is absent", codec.XML, `<instance><status/><countryId></countryId><lastDirtyTimestamp/><leaseInfo><durationInSecs/></leaseInfo><metadata/></instance>`, func(*eureka.Instance) {}},
		{"empty text is absent in JSON", codec.JSON, `{"instance":{"status":"","countryId":"","port":{"$":80,"@enabled":""},"homePageUrl":""}}`, func(i *eureka.Instance) { i.Port.Number = 80 }},
		{"unknown fields of any shape", codec.JSON, `{"instance":{"a":{"hostName":"x","b":[1,{"c":null}]},"d":[[]],"e":1.5e3,"f":"\u00e9","hostName":"h","leaseInfo":{"x":{"y":1}},"port":{"$":80,"z":[]}}}`, func(i *eureka.Instance) { i.HostName, i.Port.Number = "h", 80 }},
		{"unknown elements of any shape", codec.XML, `<instance a="1"><x b='&lt;'><hostName>x</hostName><y/></x>text<hostName>h</hostName><?pi?></instance>`, func(i *eureka.Instance) { i.HostName = "h" }},
		{"text in XML", codec.XML, "<instance><hostName>a&amp;&#x41;&#66;<![CDATA[<&amp;>]]><!-- no -->\r\nb\rc</hostName></instance>", func(i *eureka.Instance) { i.HostName = "a&AB<&amp;>\nb\nc" }},
		{"text in JSON", codec.JSON, `{"instance":{"hostName":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83dx"}}`, func(i *eureka.Instance) { i.HostName = "\"\\/\b\f\n\r\té😀\uFFFDx" }},
		{"escaped field name", codec.JSON, `{"instance":{"host\u004eame":"h"}}`, func(i *eureka.Instance) { i.HostName = "h" }},
	}.run(t)
}

func TestDecodeInstanceIsLenientAboutValues(t *testing.T) {
	readings{
		{"app in upper case", codec.JSON, `{"instance":{"app":"orders-Api"}}`, func(i *eureka.Instance) { i.App = "ORDERS-API" }},
		{"statuses in any case", codec.JSON, `{"instance":{"status":"out_of_Service","overriddenStatus":"down"}}`, func(i *eureka.Instance) {
			i.Status, i.OverriddenStatus = eureka.StatusOutOfService, eureka.StatusDown
		}},
		{"override in lower-case spelling", codec.JSON, `{"instance":{"overriddenstatus":"DOWN"}}`, func(i *eureka.Instance) { i.OverriddenStatus = eureka.StatusDown }},
		{"override in both spellings, last wins", codec.JSON, `{"instance":{"overriddenstatus":"DOWN","overriddenStatus":"UP"}}`, func(i *eureka.Instance) { i.OverriddenStatus = eureka.StatusUp }},
		{"override in camel case in XML", codec.XML, `<instance><overriddenStatus>DOWN</overriddenStatus></instance>`, func(i *eureka.Instance) { i.OverriddenStatus = eureka.StatusDown }},
		{"numbers as text", codec.JSON, `{"instance":{"port":{"$":"80"},"countryId":"7","leaseInfo":{"renewalIntervalInSecs":"5","durationInSecs":"15"},"lastDirtyTimestamp":"1700000000000"}}`, func(i *eureka.Instance) {
			i.Port.Number, i.CountryID, i.LastDirtyTimestamp = 80, 7, 1700000000000
			i.Lease.RenewalIntervalInSecs, i.Lease.DurationInSecs = 5, 15
		}},
		{"time with an exponent", codec.JSON, `{"instance":{"lastDirtyTimestamp":1.7e+12}}`, func(i *eureka.Instance) { i.LastDirtyTimestamp = 1700000000000 }},
		{"negative time", codec.JSON, `{"instance":{"lastDirtyTimestamp":-1}}`, func(i *eureka.Instance) { i.LastDirtyTimestamp = -1 }},
		{"flags as text in any case", codec.JSON, `{"instance":{"port":{"$":80,"@enabled":"False"},"securePort":{"$":443,"@enabled":"TRUE"},"isCoordinatingDiscoveryServer":"True"}}`, func(i *eureka.Instance) {
			i.Port, i.SecurePort, i.IsCoordinatingDiscoveryServer = eureka.Port{Number: 80}, eureka.Port{Number: 443, Enabled: true}, true
		}},
		{"flags as truth values", codec.JSON, `{"instance":{"port":{"@enabled":false,"$":80},"isCoordinatingDiscoveryServer":true}}`, func(i *eureka.Instance) {
			i.Port, i.IsCoordinatingDiscoveryServer = eureka.Port{Number: 80}, true
		}},
		{"bare ports", codec.JSON, `{"instance":{"port":80,"securePort":"443"}}`, func(i *eureka.Instance) { i.Port.Number, i.SecurePort.Number = 80, 443 }},
		{"ports without the attribute", codec.XML, `<instance><port>80</port><securePort enabled="true">443</securePort></instance>`, func(i *eureka.Instance) {
			i.Port.Number, i.SecurePort = 80, eureka.Port{Number: 443, Enabled: true}
		}},
		{"port that only says it is off", codec.JSON, `{"instance":{"port":{"@enabled":"false"}}}`, func(i *eureka.Instance) { i.Port.Enabled = false }},
		{"lease that is not positive", codec.JSON, `{"instance":{"leaseInfo":{"renewalIntervalInSecs":0,"durationInSecs":-5}}}`, func(*eureka.Instance) {}},
		{"old name of the renewal", codec.JSON, `{"instance":{"leaseInfo":{"renewalTimestamp":5}}}`, func(i *eureka.Instance) { i.Lease.LastRenewalTimestamp = 5 }},
		{"numbers and truth values as text", codec.JSON, `{"instance":{"instanceId":5,"asgName":true}}`, func(i *eureka.Instance) { i.ID, i.ASGName = "5", "true" }},
		{"group upper-cased in JSON", codec.JSON, `{"instance":{"appGroupName":"shop"}}`, func(i *eureka.Instance) { i.AppGroupName = "SHOP" }},
		{"group kept in XML", codec.XML, `<instance><appGroupName>shop</appGroupName></instance>`, func(i *eureka.Instance) { i.AppGroupName = "shop" }},
		{"SID that means none", codec.JSON, `{"instance":{"sid":"na"}}`, func(*eureka.Instance) {}},
		{"action that nobody knows", codec.JSON, `{"instance":{"actionType":"EXPLODED"}}`, func(*eureka.Instance) {}},
	}.run(t)
}

func TestDecodeInstanceIsLenientAboutMetadata(t *testing.T) {
	readings{
		{"metadata of any scalar", codec.JSON, `{"instance":{"metadata":{"n":1.50,"b":true,"t":"x","gone":null,"":"no key","@class":"java.util.HashMap"}}}`, func(i *eureka.Instance) {
			i.Metadata = map[string]string{"n": "1.50", "b": "true", "t": "x"}
		}},
		{"metadata as empty text", codec.JSON, `{"instance":{"metadata":""}}`, func(*eureka.Instance) {}},
		{"metadata without entries", codec.JSON, `{"instance":{"metadata":{"@class":"java.util.Collections$EmptyMap"}}}`, func(*eureka.Instance) {}},
		{"metadata names in XML", codec.XML, `<instance><metadata class="m"><c__d>1</c__d><x_-y>2</x_-y><s_.0020p>3</s_.0020p><a:b:c>4</a:b:c><e/><_.d83d_.de00>5</_.d83d_.de00><half_.d83d>6</half_.d83d><odd_x_>7</odd_x_></metadata></instance>`, func(i *eureka.Instance) {
			i.Metadata = map[string]string{"c_d": "1", "x$y": "2", "s p": "3", "a:b:c": "4", "e": "", "😀": "5", "half\uFFFD": "6", "odd_x_": "7"}
		}},
		{"data centre of a class that nobody knows", codec.JSON, `{"instance":{"dataCenterInfo":{"@class":5,"name":"MyOwn"},"hostName":"h"}}`, func(i *eureka.Instance) { i.DataCenterInfo.Name, i.HostName = eureka.DataCenterMyOwn, "h" }},
		{"Amazon without metadata", codec.JSON, `{"instance":{"dataCenterInfo":{"@class":"com.netflix.appinfo.AmazonInfo","name":"Amazon"},"hostName":"h"}}`, func(i *eureka.Instance) { i.DataCenterInfo.Name, i.HostName = eureka.DataCenterAmazon, "h" }},
		{"data centre without a class", codec.JSON, `{"instance":{"dataCenterInfo":{"name":"myown"}}}`, func(i *eureka.Instance) { i.DataCenterInfo.Name = eureka.DataCenterMyOwn }},
		{"data centre with metadata that is not Amazon", codec.JSON, `{"instance":{"dataCenterInfo":{"metadata":{"a":{"b":1}},"@class":"com.netflix.appinfo.MyDataCenterInfo","name":"Netflix"}}}`, func(i *eureka.Instance) { i.DataCenterInfo.Name = eureka.DataCenterNetflix }},
		{"Amazon with unknown metadata", codec.JSON, `{"instance":{"dataCenterInfo":{"metadata":{"x":"1","gone":null},"name":"AMAZON"}}}`, func(i *eureka.Instance) {
			i.DataCenterInfo = eureka.DataCenterInfo{Name: eureka.DataCenterAmazon, Metadata: map[string]string{"x": "1"}}
		}},
	}.run(t)
}

func TestDecodeInstanceTakesWhatMayStandAfterTheRoot(t *testing.T) {
	const body = "<instance><hostName>h</hostName><ipAddr>10.0.0.1</ipAddr><dataCenterInfo><name>MyOwn</name></dataCenterInfo></instance>"
	for _, rest := range []string{"\n", "<!-- end -->", "<?end?>", " <!-- a --> <?b?>\t"} {
		if i, err := codec.DecodeInstance(codec.XML, []byte(body+rest)); err != nil || i.HostName != "h" {
			t.Errorf("DecodeInstance() with %q after the root = %v, %v, want the instance", rest, i, err)
		}
	}
}

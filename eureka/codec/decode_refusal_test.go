package codec_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/eureka/codec"
)

func TestDecodeInstanceNamesTheField(t *testing.T) {
	tests := []struct {
		name, field, body string
		form              codec.Form
	}{
		{"text field is an object", "hostName", `{"instance":{"hostName":{}}}`, codec.JSON},
		{"text field is a list", "instanceId", `{"instance":{"instanceId":["a"]}}`, codec.JSON},
		{"text field has elements", "hostName", `<instance><hostName><b/></hostName></instance>`, codec.XML},
		{"status is no word", "status", `{"instance":{"status":"SIDEWAYS"}}`, codec.JSON},
		{"status has blanks", "status", `<instance><status> UP </status></instance>`, codec.XML},
		{"override is no word", "overriddenStatus", `{"instance":{"overriddenstatus":"x"}}`, codec.JSON},
		{"override is an object in one of its spellings", "overriddenStatus", `{"instance":{"overriddenStatus":{},"overriddenstatus":"UP"}}`, codec.JSON},
		{"port is no number", "port", `{"instance":{"port":{"$":"http"}}}`, codec.JSON},
		{"port is a fraction", "port", `{"instance":{"port":{"$":80.5}}}`, codec.JSON},
		{"port is negative", "port", `{"instance":{"port":{"$":-1}}}`, codec.JSON},
		{"port is too big", "securePort", `{"instance":{"securePort":{"$":65536}}}`, codec.JSON},
		{"port is empty", "port", `<instance><port enabled="true"></port></instance>`, codec.XML},
		{"port has blanks", "port", `<instance><port> 80 </port></instance>`, codec.XML},
		{"port is a list", "port", `{"instance":{"port":[80]}}`, codec.JSON},
		{"port flag is no flag", "port.@enabled", `{"instance":{"port":{"$":80,"@enabled":"yes"}}}`, codec.JSON},
		{"country is no number", "countryId", `<instance><countryId>PL</countryId></instance>`, codec.XML},
		{"country is too big", "countryId", `{"instance":{"countryId":2147483648}}`, codec.JSON},
		{"lease is a number", "leaseInfo", `{"instance":{"leaseInfo":77}}`, codec.JSON},
		{"lease duration is no number", "leaseInfo.durationInSecs", `{"instance":{"leaseInfo":{"durationInSecs":"long"}}}`, codec.JSON},
		{"metadata is nested", "metadata", `{"instance":{"metadata":{"a":{"b":"c"}}}}`, codec.JSON},
		{"metadata is nested", "metadata", `<instance><metadata><a><b>c</b></a></metadata></instance>`, codec.XML},
		{"metadata is a list", "metadata", `{"instance":{"metadata":["a"]}}`, codec.JSON},
		{"metadata is text", "metadata", `<instance><metadata>junk</metadata></instance>`, codec.XML},
		{"data centre is text", "dataCenterInfo", `{"instance":{"dataCenterInfo":"MyOwn"}}`, codec.JSON},
		{"data centre has no name", "dataCenterInfo Name", `{"instance":{"dataCenterInfo":{}}}`, codec.JSON},
		{"data centre has another name", "dataCenterInfo.name", `{"instance":{"dataCenterInfo":{"name":"Mine"}}}`, codec.JSON},
		{"Amazon metadata is nested", "dataCenterInfo.metadata", `{"instance":{"dataCenterInfo":{"name":"Amazon","metadata":{"a":[]}}}}`, codec.JSON},
		{"time is no number", "lastDirtyTimestamp", `{"instance":{"lastDirtyTimestamp":"yesterday"}}`, codec.JSON},
		{"time is a fraction", "lastDirtyTimestamp", `{"instance":{"lastDirtyTimestamp":1.5}}`, codec.JSON},
		{"time is too big", "lastDirtyTimestamp", `{"instance":{"lastDirtyTimestamp":9223372036854775808}}`, codec.JSON},
		{"flag is a number", "isCoordinatingDiscoveryServer", `{"instance":{"isCoordinatingDiscoveryServer":1}}`, codec.JSON},
		{"first of two in upstream's order", "status", `{"instance":{"port":"x","status":"y"}}`, codec.JSON},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i, err := codec.DecodeInstance(tt.form, []byte(tt.body))
			var field *codec.FieldError
			if !errors.As(err, &field) {
				t.Fatalf("DecodeInstance(%s) = %v, %v, want a FieldError", tt.body, i, err)
			}
			if field.Field != tt.field {
				t.Errorf("DecodeInstance(%s) names field %q, want %q", tt.body, field.Field, tt.field)
			}
			if !strings.Contains(err.Error(), tt.field) || strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("Error() = %q, want one line with %q in it", err, tt.field)
			}
		})
	}
}

// refused are bodies that are no document of a form.
type refused []struct{ name, body string }

func (tests refused) run(t *testing.T, form codec.Form) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i, err := codec.DecodeInstance(form, []byte(tt.body))
			var syntax *codec.SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("DecodeInstance(%.80q) = %v, %v, want a SyntaxError", tt.body, i, err)
			}
			if want := strings.ToUpper(form.String()) + " could not be parsed"; !strings.HasPrefix(err.Error(), want) {
				t.Errorf("Error() = %q, want it to begin with %q", err, want)
			}
			if len(err.Error()) > 200 || strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("Error() = %q, want one short line", err)
			}
		})
	}
}

// deep is inner in 100,000 of what open begins and end ends.
func deep(open, inner, end string) string {
	return strings.Repeat(open, 100_000) + inner + strings.Repeat(end, 100_000)
}

func TestDecodeInstanceRefusesWhatIsNoJSON(t *testing.T) {
	refused{
		{"empty", ""},
		{"null", "null"},
		{"a list", `[{"hostName":"h"}]`},
		{"text", `"instance"`},
		{"no instance", `{"foo":{"hostName":"h"}}`},
		{"null instance", `{"instance":null}`},
		{"list of instances", `{"instance":[]}`},
		{"not ended", `{"instance":{"hostName":"h"}`},
		{"trailing comma", `{"instance":{"hostName":"h",}}`},
		{"no colon", `{"instance" {}}`},
		{"single quotes", `{'instance':{}}`},
		{"leading zero", `{"instance":{"countryId":01}}`},
		{"control character", "{\"instance\":{\"hostName\":\"a\nb\"}}"},
		{"last control character", "{\"instance\":{\"hostName\":\"a\x1fb\"}}"},
		{"number that ends in a point", `{"instance":{"countryId":1.}}`},
		{"number without an exponent", `{"instance":{"countryId":1e+}}`},
		{"minus without digits", `{"instance":{"countryId":-}}`},
		{"unknown literal", `{"instance":{"countryId":nil}}`},
		{"unknown escape", `{"instance":{"hostName":"\x"}}`},
		{"short escape", `{"instance":{"hostName":"\u12"}}`},
		{"not UTF-8", "{\"instance\":{\"hostName\":\"\xff\"}}"},
		{"nested too deep in a field we skip", `{"instance":{"x":` + deep("[", "", "]") + `}}`},
		{"XML as JSON", `<instance/>`},
	}.run(t, codec.JSON)
}

func TestDecodeInstanceRefusesWhatIsNoXML(t *testing.T) {
	refused{
		{"empty", ""},
		{"another root", `<application><instance/></application>`},
		{"text as root", `<instance>hello</instance>`},
		{"reference beyond Unicode", `<instance><hostName>&#x110000;</hostName></instance>`},
		{"not UTF-8", "<instance><hostName>\xe9</hostName></instance>"},
		{"nested too deep in an element we skip", `<instance>` + deep("<x>", "", "</x>") + `</instance>`},
		{"document type", `<!DOCTYPE instance><instance/>`},
		{"document type with an entity", `<!DOCTYPE i [<!ENTITY e SYSTEM "file:///etc/passwd">]><instance><hostName>&e;</hostName></instance>`},
		{"document type inside", `<instance><!DOCTYPE i></instance>`},
		{"unknown entity", `<instance><hostName>&nbsp;</hostName></instance>`},
		{"reference to half a surrogate pair", `<instance><hostName>&#xd83d;</hostName></instance>`},
		{"reference without an end", `<instance><hostName>a & b</hostName></instance>`},
		{"crossed elements", `<instance><a><b></a></b></instance>`},
		{"end tag of a longer name", `<instance><a></ab></instance>`},
		{"attribute without quotes", `<instance><port enabled=true>80</port></instance>`},
		{"comment without an end", `<instance><!-- </instance>`},
		{"text before the root", `hello <instance/>`},
		{"text after the root", `<instance/> hello`},
		{"a second root", `<instance/><instance/>`},
		{"end tag after the root", `<instance/></instance>`},
		{"comment after the root without an end", `<instance/><!-- `},
		{"JSON as XML", `{"instance":{}}`},
	}.run(t, codec.XML)
}

// TestDecodeInstanceCutShort wants every beginning of a document to be refused.
func TestDecodeInstanceCutShort(t *testing.T) {
	bodies := map[codec.Form]string{
		codec.JSON: `{"instance":{"hostName":"a\u00e9\n","port":{"$":-1.5e+3,"@enabled":true},"x":[null,{}],"status":"UP"}}`,
		codec.XML:  `<?xml version="1.0"?><!--c--><instance a="1"><port enabled='true' >8</port ><b/><hostName>&#xe9;&amp;<![CDATA[x]]></hostName></instance>`,
	}
	for f, body := range bodies {
		for n := range len(body) {
			i, err := codec.DecodeInstance(f, []byte(body[:n]))
			var syntax *codec.SyntaxError
			if !errors.As(err, &syntax) {
				t.Errorf("DecodeInstance(%v, %q) = %v, %v, want a SyntaxError", f, body[:n], i, err)
			}
		}
	}
}

func TestDecodeErrorsAreShort(t *testing.T) {
	long := strings.Repeat("żółć\n", 1000)
	for _, body := range []string{
		`<instance><status>` + long + `</status></instance>`,
		`<instance><metadata><` + long + `><b/></` + long + `></metadata></instance>`,
		`<instance><` + strings.ReplaceAll(long, "\n", "") + `>`,
	} {
		_, err := codec.DecodeInstance(codec.XML, []byte(body))
		if err == nil || len(err.Error()) > 200 || strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("DecodeInstance(%.60q…) = %q, want one short line", body, err)
		}
	}
}

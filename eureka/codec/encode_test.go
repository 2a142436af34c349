package codec_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// between is the part of body between two texts, which must be there.
func between(t *testing.T, body []byte, start, end string) string {
	t.Helper()
	_, rest, found := strings.Cut(string(body), start)
	part, _, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("no %s…%s in %s", start, end, body)
	}
	return part
}

func TestEncodeMetadata(t *testing.T) {
	tests := []struct {
		name     string
		metadata map[string]string
		json     string
		xml      string
	}{
		{"sorted", map[string]string{"b": "2", "a": "1", "c": "3"}, `"a":"1","b":"2","c":"3"`, `<a>1</a><b>2</b><c>3</c>`},
		{"empty value", map[string]string{"a": ""}, `"a":""`, `<a></a>`},
		{"no keys that can be written", map[string]string{"": "1", "@class": "x"}, `"@class":"java.util.Collections$EmptyMap"`, ``},
		{"names", map[string]string{"a b": "", "9": "", "-a": "", "a-9.": "", "x$_": "", "k8s.io/a:b": ""}, `"-a":"","9":"","a b":"","a-9.":"","k8s.io/a:b":"","x$_":""`, `<_.002da></_.002da><_.0039></_.0039><a_.0020b></a_.0020b><a-9.></a-9.><k8s.io_.002fa_.003ab></k8s.io_.002fa_.003ab><x_-__></x_-__>`},
		{"names beyond ASCII", map[string]string{"żółć": "", "😀": "", "a\x00": "", "b\xff": ""}, `"a\u0000":"","b` + "\uFFFD" + `":"","żółć":"","😀":""`, `<a_.0000></a_.0000><b_.fffd></b_.fffd><żółć></żółć><_.d83d_.de00></_.d83d_.de00>`},
		{"text with markup", map[string]string{"a": `<&>"'` + "]]>\\/"}, `"a":"<&>\"']]>\\/"`, `<a>&lt;&amp;&gt;&quot;&apos;]]&gt;\/</a>`},
		{"text with controls", map[string]string{"a": "\b\f\n\r\t\x1f\x7f\u0085"}, `"a":"\b\f\n\r\t\u001F` + "\x7f\u0085\"", "<a>\uFFFD\uFFFD\n&#xd;\t\uFFFD&#x7f;&#x85;</a>"},
		{"text that XML forbids", map[string]string{"a": "\x00\uFFFE\uFFFF\uFFFD\xed\xa0\x80"}, `"a":"\u0000` + "\uFFFE\uFFFF\uFFFD\uFFFD\uFFFD\uFFFD\"", "<a>\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD</a>"},
		{"line separators", map[string]string{"a": "\u2028\u2029é😀"}, "\"a\":\"\u2028\u2029é😀\"", "<a>\u2028\u2029é😀</a>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i := orders()
			i.Metadata = tt.metadata
			json := between(t, codec.JSON.AppendInstance(nil, i), `"metadata":{`, `},"vipAddress"`)
			if diff := cmp.Diff(tt.json, json); diff != "" {
				t.Errorf("JSON differs (-want +got):\n%s", diff)
			}
			body := codec.XML.AppendInstance(nil, i)
			if tt.xml == "" {
				if want := `<metadata class="java.util.Collections$EmptyMap"/>`; !strings.Contains(string(body), want) {
					t.Errorf("no %s in %s", want, body)
				}
				return
			}
			xml := strings.ReplaceAll(between(t, body, "<metadata>\n    ", "\n  </metadata>"), ">\n    <", "><")
			if diff := cmp.Diff(tt.xml, xml); diff != "" {
				t.Errorf("XML differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestEveryCharacterInXMLNames puts every character into a key, at its start
// and after, and wants the strict parser and the decoder to read all of them.
func TestEveryCharacterInXMLNames(t *testing.T) {
	var keys []string
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if r == 0x3000 {
			r = 0xA000 // one Chinese character more is like the other
		}
		if r == 0x11000 {
			r = utf8.MaxRune - 10
		}
		if utf8.ValidRune(r) {
			keys = append(keys, string(r), "a"+string(r))
		}
	}
	i := orders()
	i.Metadata = make(map[string]string)
	for _, key := range keys {
		i.Metadata[key] = "v"
	}
	body := codec.XML.AppendInstance(nil, i)
	plain, err := readPlainInstance(codec.XML, body)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := codec.DecodeInstance(codec.XML, body)
	if err != nil {
		t.Fatal(err)
	}
	for reader, got := range map[string]map[string]string{"encoding/xml": plain.Metadata, "DecodeInstance": ours.Metadata} {
		if len(got) != len(keys) {
			t.Errorf("%s reads %d keys, want %d", reader, len(got), len(keys))
		}
		for _, key := range keys {
			if got[key] != "v" {
				t.Errorf("%s does not read key %+q", reader, key)
			}
		}
	}
}

func TestEncodeWhatIsUnset(t *testing.T) {
	i := &eureka.Instance{SID: "unknown", Status: "SIDEWAYS"}
	json := `{"instance":{"hostName":null,"app":null,"ipAddr":null,"status":"UNKNOWN","overriddenStatus":"UNKNOWN",` +
		`"port":{"$":0,"@enabled":"false"},"securePort":{"$":0,"@enabled":"false"},"countryId":0,` +
		`"leaseInfo":{"renewalIntervalInSecs":0,"durationInSecs":0,"registrationTimestamp":0,"lastRenewalTimestamp":0,"evictionTimestamp":0,"serviceUpTimestamp":0},` +
		`"metadata":{"@class":"java.util.Collections$EmptyMap"},"isCoordinatingDiscoveryServer":"false","lastUpdatedTimestamp":"0","lastDirtyTimestamp":"0"}}`
	if diff := cmp.Diff(json, string(codec.JSON.AppendInstance(nil, i))); diff != "" {
		t.Errorf("JSON differs (-want +got):\n%s", diff)
	}
	compact := `{"application":{"name":"","instance":[{"status":"UNKNOWN","lastUpdatedTimestamp":0,"port":{"$":0,"@enabled":"false"},"securePort":{"$":0,"@enabled":"false"}}]}}`
	app := &eureka.Application{Instances: []*eureka.Instance{i}}
	if diff := cmp.Diff(compact, string(codec.JSONCompact.AppendApplication(nil, app))); diff != "" {
		t.Errorf("compact JSON differs (-want +got):\n%s", diff)
	}
}

func TestEncodeAmazonWithoutMetadata(t *testing.T) {
	i := orders()
	i.DataCenterInfo = eureka.DataCenterInfo{Name: eureka.DataCenterAmazon, Metadata: map[string]string{"ami-id": "x"}}
	app := &eureka.Application{Name: "ORDERS", Instances: []*eureka.Instance{i}}
	tests := []struct {
		form codec.Form
		want string
	}{
		{codec.JSON, `{"@class":"com.netflix.appinfo.AmazonInfo","name":"Amazon","metadata":{"ami-id":"x"}}`},
		{codec.JSONCompact, `{"@class":"com.netflix.appinfo.AmazonInfo","name":"Amazon","metadata":{}}`},
		{codec.XMLCompact, `<name>Amazon</name><metadata class="java.util.Collections$EmptyMap"/></dataCenterInfo>`},
	}
	for _, tt := range tests {
		if body := tt.form.AppendApplication(nil, app); !strings.Contains(string(body), tt.want) {
			t.Errorf("%v: no %s in %s", tt.form, tt.want, body)
		}
	}
	i.DataCenterInfo.Name = eureka.DataCenterNetflix
	if body := codec.JSON.AppendApplication(nil, app); strings.Contains(string(body), "ami-id") {
		t.Errorf("metadata beside a data centre that is not Amazon in %s", body)
	}
}

func TestSingleInstanceIsNeverCompact(t *testing.T) {
	i := orders()
	for compact, full := range map[codec.Form]codec.Form{codec.JSONCompact: codec.JSON, codec.XMLCompact: codec.XML} {
		if diff := cmp.Diff(string(full.AppendInstance(nil, i)), string(compact.AppendInstance(nil, i))); diff != "" {
			t.Errorf("%v differs from %v:\n%s", compact, full, diff)
		}
	}
}

func TestStatusInfoInJSON(t *testing.T) {
	s := &codec.StatusInfo{
		GeneralStats:     []codec.Stat{{Name: "num-of-cpus", Value: "2"}, {Name: "", Value: "lost"}, {Name: "environment", Value: "a\"b"}},
		ApplicationStats: nil,
	}
	want := `{"generalStats":{"num-of-cpus":"2","environment":"a\"b"},"applicationStats":{}}`
	if diff := cmp.Diff(want, string(codec.JSON.AppendStatusInfo(nil, s))); diff != "" {
		t.Errorf("status differs (-want +got):\n%s", diff)
	}
	s.Instance = orders()
	tree := jsonTree(t, codec.JSONCompact.AppendStatusInfo(nil, s))
	if got := tree["instanceInfo"].(map[string]any)["app"]; got != "ORDERS" {
		t.Errorf("instanceInfo.app = %v, want ORDERS", got)
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	i := orders()
	app := &eureka.Application{Name: "ORDERS", Instances: []*eureka.Instance{i}}
	apps := &eureka.Applications{Applications: []eureka.Application{*app}}
	for f := range codec.Form(codec.Forms) {
		for name, appendTo := range map[string]func([]byte) []byte{
			"AppendInstance":     func(dst []byte) []byte { return f.AppendInstance(dst, i) },
			"AppendApplication":  func(dst []byte) []byte { return f.AppendApplication(dst, app) },
			"AppendApplications": func(dst []byte) []byte { return f.AppendApplications(dst, apps) },
			"AppendStatusInfo":   func(dst []byte) []byte { return f.AppendStatusInfo(dst, &codec.StatusInfo{Instance: i}) },
		} {
			if got, want := string(appendTo([]byte("kept"))), "kept"+string(appendTo(nil)); got != want {
				t.Errorf("%v.%s after %q = %q, want %q", f, name, "kept", got, want)
			}
		}
	}
}

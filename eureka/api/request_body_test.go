package api

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

const xmlInstance = `<?xml version="1.0"?><!-- by hand --><instance><instanceId>x</instanceId><hostName>h</hostName><app>FORM</app><ipAddr>10.0.0.9</ipAddr><port>80</port><dataCenterInfo><name>MyOwn</name></dataCenterInfo></instance>`

func TestContentTypes(t *testing.T) {
	s := startWrites(t)
	json := registration("FORM", "x").document(t)
	unwrapped := strings.TrimSuffix(strings.TrimPrefix(json, `{"instance":`), "}")
	tests := []struct {
		name, body, contentType string
		want                    int
	}{
		{"JSON", json, "application/json", 204},
		{"JSON with a charset", json, "application/json;charset=UTF-8", 204},
		{"JSON in another case", json, "Application/JSON ; charset=utf-8", 204},
		{"JSON as text", json, "text/json", 204},
		{"JSON by suffix", json, "application/vnd.eureka+json", 204},
		{"JSON without the object around it", unwrapped, "application/json", 204},
		{"JSON after a byte order mark", "\uFEFF" + json, "application/json", 204},
		{"XML", xmlInstance, "application/xml", 204},
		{"XML as text", xmlInstance, "text/xml; charset=utf-8", 204},
		{"XML by suffix", xmlInstance, "application/eureka+xml", 204},
		{"no type, JSON", json, "", 204},
		{"no type, JSON after space", "\r\n " + json, "", 204},
		{"no type, XML", xmlInstance, "", 204},
		{"no type, XML after a byte order mark", "\uFEFF\n" + xmlInstance, "", 204},
		{"XML that says JSON", xmlInstance, "application/json", 400},
		{"JSON that says XML", json, "application/xml", 400},
		{"plain text", json, "text/plain", 415},
		{"a form", json, "application/x-www-form-urlencoded", 415},
		{"anything", json, "*/*", 415},
		{"YAML", json, "application/yaml", 415},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var headers []string
			if tt.contentType != "" {
				headers = append(headers, "Content-Type: "+tt.contentType)
			}
			a := s.send("POST", "/eureka/apps/FORM", tt.body, headers...)
			if a.StatusCode != tt.want {
				t.Errorf("answer = %d %q, want %d", a.StatusCode, a.text, tt.want)
			}
			if a.StatusCode == http.StatusUnsupportedMediaType && a.text != "Content-Type "+strconv.Quote(tt.contentType)+" is neither JSON nor XML\n" {
				t.Errorf("reason = %q", a.text)
			}
		})
	}
}

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestBodyLimitsAndCodings(t *testing.T) {
	s := startWrites(t)
	// fill is a registration of n bytes.
	fill := func(n int) string {
		empty := registration("A", "i").with(fields{"metadata": fields{"k": ""}}).document(t)
		return strings.Replace(empty, `"k":""`, `"k":"`+strings.Repeat("x", n-len(empty))+`"`, 1)
	}
	ordinary, bomb := fill(1000), zipped(t, fill(1<<20))
	if len(bomb) > maxBody/10 {
		t.Fatalf("the bomb has %d bytes, want it far below the limit", len(bomb))
	}
	tests := []struct {
		name, body, coding string
		want               int
		reason             string
	}{
		{"at the limit", fill(maxBody), "", 204, ""},
		{"over the limit", fill(maxBody + 1), "", 413, "the body is longer than 65536 bytes"},
		{"identity", ordinary, "identity", 204, ""},
		{"gzip", zipped(t, ordinary), "gzip", 204, ""},
		{"gzip by its old name", zipped(t, ordinary), "X-GZIP", 204, ""},
		{"gzip up to the limit", zipped(t, fill(maxBody)), "gzip", 204, ""},
		{"gzip that inflates over the limit", zipped(t, fill(maxBody+1)), "gzip", 413, "the body is longer than 65536 bytes"},
		{"a bomb", bomb, "gzip", 413, "the body is longer than 65536 bytes"},
		{"gzip that is none", ordinary, "gzip", 400, "the body could not be read: gzip: invalid header"},
		{"gzip cut short", zipped(t, ordinary)[:200], "gzip", 400, "the body could not be read: unexpected EOF"},
		{"empty gzip", "", "gzip", 400, "the body could not be read: EOF"},
		{"another coding", ordinary, "br", 415, `Content-Encoding "br" is not gzip`},
		{"two codings", ordinary, "gzip, gzip", 415, `Content-Encoding "gzip, gzip" is not gzip`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			headers := []string{contentJSON}
			if tt.coding != "" {
				headers = append(headers, "Content-Encoding: "+tt.coding)
			}
			a := s.send("POST", "/eureka/apps/A", tt.body, headers...)
			want := tt.reason
			if want != "" {
				want += "\n"
			}
			if a.StatusCode != tt.want || a.text != want {
				t.Errorf("answer = %d %q, want %d %q", a.StatusCode, a.text, tt.want, want)
			}
		})
	}
	t.Run("over the limit in chunks", func(t *testing.T) {
		req, err := http.NewRequestWithContext(t.Context(), "POST", s.url+"/eureka/apps/A", chunks{strings.NewReader(fill(maxBody + 1))})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := s.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if a := read(t, resp); a.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("answer = %d, want 413", a.StatusCode)
		}
	})
}

// chunks hides how long a body is, so that it is sent in chunks.
type chunks struct{ *strings.Reader }

func (chunks) Len() int { panic("asked for the length") }

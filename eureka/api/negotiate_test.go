package api

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
)

func TestForms(t *testing.T) {
	s := start(t, inst("ORDERS", "i1"))
	const (
		json = "application/json"
		xml  = "application/xml"
	)
	tests := []struct {
		name, path      string
		headers         []string
		contentType     string
		compact, sparse bool
	}{
		{name: "no Accept is XML", path: "/eureka/apps", contentType: xml},
		{name: "anything is XML", path: "/eureka/apps", headers: []string{"Accept: */*"}, contentType: xml},
		{name: "Spring's RestTemplate", path: "/eureka/apps", headers: []string{"Accept: application/json, application/*+json"}, contentType: json},
		{name: "both is JSON and says so", path: "/eureka/apps", headers: []string{"Accept: application/xml, application/json"}, contentType: json},
		{name: "upper case", path: "/eureka/apps", headers: []string{"Accept: APPLICATION/JSON"}, contentType: json},
		{name: "parameters are not repeated", path: "/eureka/apps", headers: []string{"Accept: application/json;charset=UTF-8"}, contentType: json},
		{name: "an image is XML", path: "/eureka/apps", headers: []string{"Accept: image/png"}, contentType: xml},
		{name: "compact JSON", path: "/eureka/apps", headers: []string{acceptJSON, "X-Eureka-Accept: compact"}, contentType: json, compact: true},
		{name: "compact in any case", path: "/eureka/apps/delta", headers: []string{acceptJSON, "X-Eureka-Accept: COMPACT"}, contentType: json, compact: true},
		{name: "compact XML", path: "/eureka/apps", headers: []string{"X-Eureka-Accept: compact"}, contentType: xml, compact: true},
		{name: "compact application", path: "/eureka/apps/ORDERS", headers: []string{acceptJSON, "X-Eureka-Accept: compact"}, contentType: json, compact: true},
		{name: "compact VIP", path: "/eureka/vips/orders", headers: []string{acceptJSON, "X-Eureka-Accept: compact"}, contentType: json, compact: true},
		{name: "nonsense is full", path: "/eureka/apps", headers: []string{acceptJSON, "X-Eureka-Accept: nonsense"}, contentType: json},
		{name: "one instance is never compact", path: "/eureka/apps/ORDERS/i1", headers: []string{acceptJSON, "X-Eureka-Accept: compact"}, contentType: json},
		{name: "one instance: the earlier wins", path: "/eureka/apps/ORDERS/i1", headers: []string{"Accept: application/xml, application/json"}, contentType: xml},
		{name: "one instance: the preferred wins", path: "/eureka/apps/ORDERS/i1", headers: []string{"Accept: application/xml;q=0.5, application/json"}, contentType: json},
		{name: "one instance: refused JSON is XML", path: "/eureka/apps/ORDERS/i1", headers: []string{"Accept: application/json;q=0, */*;q=0.1"}, contentType: xml},
		{name: "one instance: anything is XML", path: "/eureka/instances/i1", headers: []string{"Accept: */*"}, contentType: xml},
		{name: "status in JSON", path: "/eureka/status", headers: []string{acceptJSON}, contentType: json, sparse: true},
		{name: "status in XML", path: "/eureka/v2/status", contentType: xml, sparse: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.get(tt.path, tt.headers...)
			if a.StatusCode != http.StatusOK {
				t.Fatalf("status = %d, want 200", a.StatusCode)
			}
			if got := a.Header.Get("Content-Type"); got != tt.contentType {
				t.Errorf("Content-Type = %q, want %q", got, tt.contentType)
			}
			if begins := a.text[:1]; (begins == "{") != (tt.contentType == json) {
				t.Errorf("body %.40q does not fit %s", a.text, tt.contentType)
			}
			if !tt.sparse && strings.Contains(a.text, "lastDirtyTimestamp") == tt.compact {
				t.Errorf("compact = %v, want %v: %s", !tt.compact, tt.compact, a.text)
			}
		})
	}
}

func TestFieldCase23_GzipOnlyWhenAsked(t *testing.T) {
	s := start(t, many("ORDERS", 300)...)
	tests := []struct {
		accept string // "" for no header
		gzip   bool
	}{
		{"", false},
		{"gzip", true},
		{"GZIP", true},
		{"gzip, x-gzip, deflate", true},
		{"x-gzip", true},
		{"deflate, gzip;q=0.5", true},
		{"gzip;q=0", false},
		{"gzip; q=0.000", false},
		{"identity", false},
		{"*", false},
		{"gzipped", false},
		{"br", false},
	}
	for _, path := range []string{"/eureka/apps", "/eureka/apps/delta", "/eureka/vips/orders", "/eureka/svips/orders"} {
		plain := s.get(path, acceptJSON)
		for _, tt := range tests {
			t.Run(path+" "+tt.accept, func(t *testing.T) {
				headers := []string{acceptJSON}
				if tt.accept != "" {
					headers = append(headers, "Accept-Encoding: "+tt.accept)
				}
				a := s.get(path, headers...)
				if got := a.Header.Get("Content-Encoding") == "gzip"; got != tt.gzip {
					t.Errorf("compressed = %v, want %v", got, tt.gzip)
				}
				if a.text != plain.text {
					t.Error("the text differs from the plain one")
				}
				if a.Header.Get("Vary") != "Accept, Accept-Encoding, X-Eureka-Accept" {
					t.Errorf("Vary = %q", a.Header.Get("Vary"))
				}
				if a.Header.Get("Content-Length") != strconv.Itoa(len(a.raw)) {
					t.Errorf("Content-Length = %q for %d bytes", a.Header.Get("Content-Length"), len(a.raw))
				}
			})
		}
	}
	for _, path := range []string{"/eureka/apps/ORDERS", "/eureka/apps/ORDERS/10.0.0.0:orders:8080"} {
		if a := s.get(path, acceptJSON, "Accept-Encoding: gzip"); a.StatusCode != http.StatusOK || a.Header.Get("Content-Encoding") != "" {
			t.Errorf("GET %s = %d, Content-Encoding %q; want it plain as other servers send it", path, a.StatusCode, a.Header.Get("Content-Encoding"))
		}
	}
}

func TestHeadAnswersAsGetWithoutBody(t *testing.T) {
	s := start(t, inst("ORDERS", "i1"))
	for _, path := range []string{"/eureka/apps", "/eureka/apps/delta", "/eureka/apps/ORDERS", "/eureka/apps/ORDERS/i1", "/eureka/vips/orders", "/eureka/status"} {
		for _, encoding := range []string{"identity", "gzip"} {
			get, head := s.get(path, acceptJSON, "Accept-Encoding: "+encoding), s.do(http.MethodHead, path, acceptJSON, "Accept-Encoding: "+encoding)
			if head.StatusCode != get.StatusCode || len(head.raw) != 0 {
				t.Errorf("HEAD %s = %d with %d bytes, want %d without", path, head.StatusCode, len(head.raw), get.StatusCode)
			}
			for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding", "ETag", "Vary"} {
				if name == "Content-Length" && path == "/eureka/status" {
					continue // it shows how much memory is in use, which moves
				}
				if head.Header.Get(name) != get.Header.Get(name) {
					t.Errorf("HEAD %s has %s %q, GET %q", path, name, head.Header.Get(name), get.Header.Get(name))
				}
			}
		}
	}
}

func TestMethodsThatAreNotThere(t *testing.T) {
	s := start(t, inst("ORDERS", "i1"))
	tests := []struct{ method, path, allow string }{
		{"POST", "/eureka/apps", "GET, HEAD, OPTIONS"},
		{"PUT", "/eureka/vips/orders", "GET, HEAD, OPTIONS"},
		{"POST", "/eureka/apps/ORDERS", "GET, HEAD, OPTIONS"},
		{"PUT", "/eureka/apps/ORDERS/i1", "GET, HEAD, OPTIONS"},
		{"DELETE", "/eureka/v2/apps/ORDERS/i1/", "GET, HEAD, OPTIONS"},
		{"PUT", "/eureka/apps/ORDERS/i1/status", "OPTIONS"},
		{"GET", "/eureka/apps/ORDERS/i1/status", "OPTIONS"},
		{"PUT", "/eureka/apps/ORDERS/i1/metadata", "OPTIONS"},
		{"POST", "/eureka/peerreplication/batch/", "OPTIONS"},
		{"PATCH", "/eureka/apps/delta", "GET, HEAD, OPTIONS"},
		{"BREW", "/eureka/apps", "GET, HEAD, OPTIONS"},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			a := s.do(tt.method, tt.path, acceptJSON)
			if a.StatusCode != http.StatusMethodNotAllowed || len(a.raw) != 0 || a.Header.Get("Content-Type") != "" {
				t.Errorf("answer = %d, Content-Type %q, body %q; want an empty 405", a.StatusCode, a.Header.Get("Content-Type"), a.raw)
			}
			if got := a.Header.Get("Allow"); got != tt.allow {
				t.Errorf("Allow = %q, want %q", got, tt.allow)
			}
			if o := s.do(http.MethodOptions, tt.path); o.StatusCode != http.StatusOK || o.Header.Get("Allow") != tt.allow || len(o.raw) != 0 || o.Header.Get("Content-Type") != "" {
				t.Errorf("OPTIONS = %d, Allow %q, Content-Type %q; want an empty 200 with %q", o.StatusCode, o.Header.Get("Allow"), o.Header.Get("Content-Type"), tt.allow)
			}
		})
	}
}

func TestConditionalReads(t *testing.T) {
	s := start(t, inst("ORDERS", "i1"), inst("CART", "c1"))
	paths := []string{"/eureka/apps", "/eureka/apps/delta", "/eureka/apps/ORDERS", "/eureka/vips/orders", "/eureka/svips/orders"}
	tags := map[string]string{}
	for _, path := range paths {
		first := s.get(path, acceptJSON)
		tag := first.Header.Get("ETag")
		tags[path] = tag
		for _, header := range []string{tag, "W/" + tag, `"other", ` + tag, "*"} {
			a := s.get(path, acceptJSON, "If-None-Match: "+header)
			if a.StatusCode != http.StatusNotModified || len(a.raw) != 0 || a.Header.Get("ETag") != tag {
				t.Errorf("GET %s with If-None-Match %s = %d, ETag %q; want 304 and %q", path, header, a.StatusCode, a.Header.Get("ETag"), tag)
			}
		}
		for name, other := range map[string]answer{
			"XML":     s.get(path),
			"compact": s.get(path, acceptJSON, "X-Eureka-Accept: compact"),
		} {
			if other.Header.Get("ETag") == tag {
				t.Errorf("%s has the ETag of GET %s in JSON", name, path)
			}
		}
		if a := s.get(path, acceptJSON, `If-None-Match: "other"`); a.StatusCode != http.StatusOK || a.text != first.text {
			t.Errorf("GET %s with another tag = %d, want the answer", path, a.StatusCode)
		}
	}
	if plain, zip := s.get("/eureka/apps", acceptJSON), s.get("/eureka/apps", acceptJSON, "Accept-Encoding: gzip"); plain.Header.Get("ETag") == zip.Header.Get("ETag") {
		t.Error("plain and gzip have one strong ETag for different bytes")
	}

	s.change("CART/c2", inst("CART", "c2"))
	for path, want := range map[string]int{"/eureka/apps": 200, "/eureka/apps/delta": 200, "/eureka/apps/ORDERS": 304} {
		if a := s.get(path, acceptJSON, "If-None-Match: "+tags[path]); a.StatusCode != want {
			t.Errorf("GET %s after a change of another application = %d, want %d", path, a.StatusCode, want)
		}
	}
	if a := start(t, inst("ORDERS", "i1"), inst("CART", "c1")).get("/eureka/apps/ORDERS", acceptJSON); a.Header.Get("ETag") == tags["/eureka/apps/ORDERS"] {
		t.Error("another server has the same ETag")
	}
}

package convertor_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/convertor"
)

func TestPrefixPrecedence(t *testing.T) {
	both := newPod("orders-abc", "10.0.0.5", "orders",
		label("choerodon.io/service", "bestellungen"), label("choerodon.io/version", "2"), label("choerodon.io/metrics-port", "9000"))
	tests := []struct {
		name     string
		prefixes []string
		edits    []edit
		want     string
	}{
		{name: "first of two", prefixes: []string{"eurekube.io", "choerodon.io"}, want: "ORDERS"},
		{name: "the other order", prefixes: []string{"choerodon.io", "eurekube.io"}, want: "BESTELLUNGEN"},
		{name: "a blank label does not count", prefixes: []string{"eurekube.io", "choerodon.io"}, edits: []edit{label("eurekube.io/service", "")}, want: "BESTELLUNGEN"},
		{name: "an annotation names the service of a blank label", prefixes: []string{"eurekube.io"}, edits: []edit{label("eurekube.io/service", ""), annotation("eurekube.io/service", "long")}, want: "LONG"},
		{name: "a prefix of one's own", prefixes: []string{"shop.example"}, edits: []edit{label("shop.example/service", "cart")}, want: "CART"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pod := both.DeepCopy()
			for _, e := range tt.edits {
				e(pod)
			}
			inst := listed(t, pod, convertor.Rules{Prefixes: tt.prefixes})
			equal(t, "app", inst.App, tt.want)
			equal(t, "service name", strings.ToUpper(convertor.ServiceName(pod, tt.prefixes)), tt.want)
		})
	}
	equal(t, "service name without a prefix", convertor.ServiceName(both, nil), "")
}

func TestMetadata(t *testing.T) {
	tests := []struct {
		name  string
		edits []edit
		key   string
		want  string
	}{
		{name: "version label", key: "version", want: "1.0"},
		{name: "version of the application", edits: []edit{without("eurekube.io/version"), label("app.kubernetes.io/version", "7")}, key: "version", want: "7"},
		{name: "own version wins", edits: []edit{label("app.kubernetes.io/version", "7")}, key: "version", want: "1.0"},
		{name: "no version", edits: []edit{without("eurekube.io/version")}, key: "version"},
		{name: "no context path", key: "context-path"},
		{name: "root context path", edits: []edit{annotation("eurekube.io/context-path", "/")}, key: "context-path"},
		{name: "blank annotation leaves the label", edits: []edit{label("eurekube.io/context-path", "shop"), annotation("eurekube.io/context-path", " ")}, key: "context-path", want: "/shop"},
		{name: "no management port", edits: []edit{without("eurekube.io/management-port")}, key: "management.port"},
		{name: "named management port", edits: []edit{label("eurekube.io/management-port", "http")}, key: "management.port", want: "8080"},
		{name: "own entry", edits: []edit{annotation("eurekube.io/metadata.team", "blue")}, key: "team", want: "blue"},
		{name: "own entry wins", edits: []edit{annotation("eurekube.io/metadata.version", "9")}, key: "version", want: "9"},
		{name: "empty key", edits: []edit{annotation("eurekube.io/metadata.", "x")}, key: ""},
		{name: "entry under another prefix", edits: []edit{annotation("choerodon.io/metadata.team", "blue")}, key: "team"},
		{name: "no VERSION under eurekube.io", key: "VERSION"},
		{name: "no zone", key: "zone"},
		{name: "protocol for GeeRPC", edits: []edit{annotation("eurekube.io/geerpc", " tcp ")}, key: "geerpc", want: "tcp"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inst := listed(t, newPod("orders-abc", "10.0.0.5", "orders", tt.edits...), defaultRules)
			value, ok := inst.Metadata[tt.key]
			equal(t, "value", value, tt.want)
			equal(t, "has the key", ok, tt.want != "")
		})
	}
}

func TestGeeRPCProtocol(t *testing.T) {
	tests := []struct {
		name, word, want string
		warnings         []convertor.WarningReason
	}{
		{name: "letters, digits and marks", word: "h2c+Tls-1.3", want: "h2c+Tls-1.3"},
		{name: "as long as may be", word: strings.Repeat("a", 63), want: strings.Repeat("a", 63)},
		{name: "longer", word: strings.Repeat("a", 64), warnings: []convertor.WarningReason{"bad-geerpc"}},
		{name: "an address too", word: "tcp@10.0.0.9:80", warnings: []convertor.WarningReason{"bad-geerpc"}},
		{name: "two", word: "tcp,http", warnings: []convertor.WarningReason{"bad-geerpc"}},
		{name: "a letter of another alphabet", word: "tсp", warnings: []convertor.WarningReason{"bad-geerpc"}},
		{name: "blank", word: " "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inst, warnings, err := convertor.Convert(newPod("orders-abc", "10.0.0.5", "orders", annotation("eurekube.io/geerpc", tt.word)), defaultRules)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "metadata", inst.Metadata["geerpc"], tt.want)
			equal(t, "warnings", reasonsOf(warnings), tt.warnings)
		})
	}
}

func TestURLs(t *testing.T) {
	type urls struct{ Home, Status, Health, SecureHealth string }
	noManagement := without("eurekube.io/management-port")
	tests := []struct {
		name  string
		edits []edit
		want  urls
	}{
		{name: "no management port", edits: []edit{noManagement}, want: urls{
			Home: "http://10.0.0.5:8080/", Status: "http://10.0.0.5:8080/actuator/info", Health: "http://10.0.0.5:8080/actuator/health"}},
		{name: "context path", edits: []edit{noManagement, label("eurekube.io/context-path", "shop")}, want: urls{
			Home: "http://10.0.0.5:8080/shop/", Status: "http://10.0.0.5:8080/shop/actuator/info", Health: "http://10.0.0.5:8080/shop/actuator/health"}},
		{name: "context path and management port", edits: []edit{label("eurekube.io/context-path", "shop")}, want: urls{
			Home: "http://10.0.0.5:8080/shop/", Status: "http://10.0.0.5:8081/actuator/info", Health: "http://10.0.0.5:8081/actuator/health"}},
		{name: "management port is the service port", edits: []edit{label("eurekube.io/context-path", "shop"), label("eurekube.io/management-port", "8080")}, want: urls{
			Home: "http://10.0.0.5:8080/shop/", Status: "http://10.0.0.5:8080/shop/actuator/info", Health: "http://10.0.0.5:8080/shop/actuator/health"}},
		{name: "paths of Boot 1", edits: []edit{annotation("eurekube.io/health-path", "health"), annotation("eurekube.io/status-path", "/info")}, want: urls{
			Home: "http://10.0.0.5:8080/", Status: "http://10.0.0.5:8081/info", Health: "http://10.0.0.5:8081/health"}},
		{name: "service port is https", edits: []edit{noManagement, containers(container("app", tcp("https", 8443)))}, want: urls{
			Home: "https://10.0.0.5:8443/", Status: "https://10.0.0.5:8443/actuator/info",
			Health: "https://10.0.0.5:8443/actuator/health", SecureHealth: "https://10.0.0.5:8443/actuator/health"}},
		{name: "secure port beside", edits: []edit{label("eurekube.io/secure-port", "8443"), label("eurekube.io/context-path", "shop")}, want: urls{
			Home: "http://10.0.0.5:8080/shop/", Status: "http://10.0.0.5:8081/actuator/info",
			Health: "http://10.0.0.5:8081/actuator/health", SecureHealth: "https://10.0.0.5:8443/shop/actuator/health"}},
		{name: "advertised host and port", edits: []edit{annotation("eurekube.io/advertise-host", "gw.example.com"), annotation("eurekube.io/advertise-port", "80")}, want: urls{
			Home: "http://gw.example.com:80/", Status: "http://gw.example.com:8081/actuator/info", Health: "http://gw.example.com:8081/actuator/health"}},
		{name: "IPv6", edits: []edit{func(p *corev1.Pod) { p.Status.PodIP = "fd00::3" }}, want: urls{
			Home: "http://[fd00::3]:8080/", Status: "http://[fd00::3]:8081/actuator/info", Health: "http://[fd00::3]:8081/actuator/health"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inst := listed(t, newPod("orders-abc", "10.0.0.5", "orders", tt.edits...), defaultRules)
			equal(t, "URLs", urls{inst.HomePageURL, inst.StatusPageURL, inst.HealthCheckURL, inst.SecureHealthCheckURL}, tt.want)
		})
	}
}

func TestWarningsNameTheFaultyValue(t *testing.T) {
	tests := []struct {
		name    string
		edit    edit
		reason  convertor.WarningReason
		message string
	}{
		{name: "port", edit: label("eurekube.io/port", "htp"), reason: "bad-port-label", message: `eurekube.io/port: "htp"`},
		{name: "port too large", edit: label("eurekube.io/port", "80800"), reason: "bad-port-label", message: `using 8080`},
		{name: "management port", edit: label("eurekube.io/management-port", "0"), reason: "bad-management-port", message: `eurekube.io/management-port: "0"`},
		{name: "secure port", edit: annotation("eurekube.io/secure-port", "-1"), reason: "bad-secure-port", message: `eurekube.io/secure-port: "-1"`},
		{name: "advertised port", edit: annotation("eurekube.io/advertise-port", "http"), reason: "bad-advertise-port", message: `"http" is not a port number; using 8080`},
		{name: "advertised URL", edit: annotation("eurekube.io/advertise-host", "http://gw"), reason: "bad-advertise-host", message: `"http://gw"`},
		{name: "advertised host with port", edit: annotation("eurekube.io/advertise-host", "gw:80"), reason: "bad-advertise-host", message: `using 10.0.0.5`},
		{name: "advertised brackets", edit: annotation("eurekube.io/advertise-host", "[gw]"), reason: "bad-advertise-host", message: `"[gw]"`},
		{name: "underscore", edit: label("eurekube.io/service", "user_service"), reason: "not-a-host-name", message: `eurekube.io/service: "user_service"`},
		{name: "more VIPs than 32", edit: annotation("eurekube.io/vip", strings.Repeat("a,", 32)+"a"), reason: "bad-vip", message: `eurekube.io/vip: 33 names in 65 bytes, more than 32 in 1024; using orders`},
		{name: "a VIP longer than 1 KiB", edit: annotation("eurekube.io/vip", strings.Repeat("a", 1025)), reason: "bad-vip", message: `1 names in 1025 bytes`},
		{name: "context path with a query", edit: annotation("eurekube.io/context-path", "shop?x=1"), reason: "bad-path", message: `eurekube.io/context-path: "/shop?x=1" cannot be the path of a URL; using ""`},
		{name: "health path with a space", edit: annotation("eurekube.io/health-path", "/my health"), reason: "bad-path", message: `eurekube.io/health-path: "/my health" cannot be the path of a URL; using "/actuator/health"`},
		{name: "a status that is none", edit: annotation("eurekube.io/status", "DOWNN"), reason: "bad-status", message: `"DOWNN" is none of the statuses UP, DOWN, OUT_OF_SERVICE, STARTING and UNKNOWN; ignored`},
		{name: "a VIP with a blank", edit: annotation("eurekube.io/vip", "a,b c"), reason: "bad-vip", message: `eurekube.io/vip: "b c" is no name to look up, it has a blank in it; using orders`},
		{name: "advertised numbers", edit: annotation("eurekube.io/advertise-host", "999.1.1.1"), reason: "bad-advertise-host", message: `"999.1.1.1" is neither a host name nor an IP`},
		{name: "advertised name that ends in a number", edit: annotation("eurekube.io/advertise-host", "gw.1"), reason: "bad-advertise-host", message: `"gw.1"`},
		{name: "a very long value", edit: annotation("eurekube.io/status", strings.Repeat("x", 200_000)), reason: "bad-status", message: `"` + strings.Repeat("x", 80) + `" is no`},
	}
	plain := listed(t, newPod("orders-abc", "10.0.0.5", "orders"), defaultRules)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inst, warnings, err := convertor.Convert(newPod("orders-abc", "10.0.0.5", "orders", tt.edit), defaultRules)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "kinds", reasonsOf(warnings), []convertor.WarningReason{tt.reason})
			if !strings.Contains(warnings[0].Message, tt.message) {
				t.Errorf("message %q does not contain %q", warnings[0].Message, tt.message)
			}
			equal(t, "host and port", []any{inst.HostName, inst.Port, inst.SecurePort}, []any{plain.HostName, plain.Port, plain.SecurePort})
		})
	}
}

package convertor_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
)

func TestServicePort(t *testing.T) {
	idle := eureka.Port{Number: 443}
	on := func(n int) eureka.Port { return eureka.Port{Number: n, Enabled: true} }
	defaultContainer := annotation(convertor.DefaultContainerAnnotation, "web")
	tests := []struct {
		name     string
		edits    []edit
		port     int
		secure   eureka.Port
		warnings []convertor.WarningReason
	}{
		{name: "first without a known name", edits: []edit{containers(container("app", tcp("grpc", 9090), tcp("admin", 9091)))}, port: 9090, secure: idle},
		{name: "http before an earlier port", edits: []edit{containers(container("app", tcp("grpc", 9090), tcp("http", 8080)))}, port: 8080, secure: idle},
		{name: "http before https", edits: []edit{containers(container("app", tcp("https", 8443), tcp("http", 8080)))}, port: 8080, secure: idle},
		{name: "https before an earlier port", edits: []edit{containers(container("app", tcp("grpc", 9090), tcp("https", 8443)))}, port: 8443, secure: on(8443)},
		{name: "http of the second container", edits: []edit{containers(container("cache", tcp("redis", 6379)), container("app", tcp("http", 8080)))}, port: 8080, secure: idle},
		{name: "UDP never counts", edits: []edit{containers(container("app", udp("http", 53), tcp("", 8080)))}, port: 8080, secure: idle},
		{name: "port 0 never counts", edits: []edit{containers(container("app", tcp("http", 0), tcp("", 8080)))}, port: 8080, secure: idle},
		{name: "number out of range never counts", edits: []edit{containers(container("app", tcp("http", 70000), tcp("", 8080)))}, port: 8080, secure: idle},
		{name: "no protocol is TCP", edits: []edit{containers(container("app", corev1.ContainerPort{ContainerPort: 8080}))}, port: 8080, secure: idle},

		{name: "number that no container declares", edits: []edit{label("eurekube.io/port", "9999")}, port: 9999, secure: idle},
		{name: "name", edits: []edit{label("eurekube.io/port", "grpc"), containers(container("app", tcp("http", 8080), tcp("grpc", 9090)))}, port: 9090, secure: idle},
		{name: "name https", edits: []edit{label("eurekube.io/port", "https"), containers(container("app", tcp("http", 8080), tcp("https", 8443)))}, port: 8443, secure: on(8443)},
		{name: "number of https", edits: []edit{label("eurekube.io/port", "8443"), containers(container("app", tcp("http", 8080), tcp("https", 8443)))}, port: 8443, secure: on(8443)},
		{name: "annotation wins", edits: []edit{label("eurekube.io/port", "1"), annotation("eurekube.io/port", "2")}, port: 2, secure: idle},
		{name: "annotation of choerodon", edits: []edit{choerodon, annotation("choerodon.io/port", "9000")}, port: 9000, secure: idle},
		{name: "name of a UDP port", edits: []edit{label("eurekube.io/port", "dns"), containers(container("app", udp("dns", 53), tcp("", 8080)))}, port: 8080, secure: idle, warnings: []convertor.WarningReason{"bad-port-label"}},
		{name: "port 0", edits: []edit{label("eurekube.io/port", "0")}, port: 8080, secure: idle, warnings: []convertor.WarningReason{"bad-port-label"}},

		{name: "name in the application before the same in a sidecar", edits: []edit{label("eurekube.io/port", "api"), containers(container("envoy", tcp("api", 1)), container("app", tcp("api", 2)))}, port: 2, secure: idle},
		{name: "name that only a sidecar has", edits: []edit{label("eurekube.io/port", "ingress"), containers(container("envoy", tcp("ingress", 1)), container("app", tcp("http", 2)))}, port: 1, secure: idle},
		{name: "only sidecars", edits: []edit{containers(container("envoy", tcp("ingress", 10000)), container("istio-proxy", tcp("", 15090)))}, port: 10000, secure: idle},
		{name: "the default container comes first", edits: []edit{defaultContainer, containers(container("cache", tcp("http", 1)), container("web", tcp("api", 2)))}, port: 2, secure: idle},
		{name: "a default container with a sidecar's name", edits: []edit{annotation(convertor.DefaultContainerAnnotation, "envoy"), containers(container("logs", tcp("http", 1)), container("envoy", tcp("api", 2)))}, port: 2, secure: idle},
		{name: "a default container without ports", edits: []edit{defaultContainer, containers(container("web"), container("api", tcp("", 2)))}, port: 2, secure: idle},
		{name: "a default container that is not there", edits: []edit{defaultContainer, containers(container("istio-proxy", tcp("", 1)), container("api", tcp("", 2)))}, port: 2, secure: idle},

		{name: "secure port beside", edits: []edit{label("eurekube.io/secure-port", "8443")}, port: 8080, secure: on(8443)},
		{name: "secure port by name", edits: []edit{label("eurekube.io/secure-port", "tls"), containers(container("app", tcp("http", 8080), tcp("tls", 8444)))}, port: 8080, secure: on(8444)},
		{name: "advertised https", edits: []edit{annotation("eurekube.io/advertise-port", "443"), containers(container("app", tcp("https", 8443)))}, port: 443, secure: on(443)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inst, warnings, err := convertor.Convert(newPod("orders-abc", "10.0.0.5", "orders", tt.edits...), defaultRules)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "port", inst.Port, on(tt.port))
			equal(t, "secure port", inst.SecurePort, tt.secure)
			equal(t, "warnings", reasonsOf(warnings), tt.warnings)
		})
	}
}

func TestNoPort(t *testing.T) {
	tests := []struct {
		name     string
		edits    []edit
		warnings []convertor.WarningReason
	}{
		{name: "no container", edits: []edit{containers()}},
		{name: "UDP only", edits: []edit{containers(container("app", udp("http", 53)))}},
		{name: "only a sidecar declares one", edits: []edit{containers(container("app"), container("istio-proxy", tcp("", 15090)))}},
		{name: "a typing error and nothing else", edits: []edit{label("eurekube.io/port", "htp"), containers(container("app"))}, warnings: []convertor.WarningReason{"bad-port-label"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inst, warnings, err := convertor.Convert(newPod("orders-abc", "10.0.0.5", "orders", tt.edits...), defaultRules)
			if inst != nil || err != convertor.ReasonNoPort {
				t.Errorf("Convert = %v, %v; want no instance, %v", inst, err, convertor.ReasonNoPort)
			}
			equal(t, "warnings", reasonsOf(warnings), tt.warnings)
		})
	}
}

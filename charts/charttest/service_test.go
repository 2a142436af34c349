package charttest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// service returns the Service of the API.
func service(t *testing.T, values string) corev1.Service {
	t.Helper()
	for _, s := range of[corev1.Service](t, render(t, values), "Service") {
		if s.Labels["app.kubernetes.io/component"] == "server" {
			return s
		}
	}
	t.Fatal("there is no Service of the API")
	return corev1.Service{}
}

func TestServiceLeadsToTheAPI(t *testing.T) {
	tests := []struct{ name, values, scheme string }{
		{name: "plain", values: "", scheme: "http"},
		{name: "TLS", values: "tls: {secretName: cert}", scheme: "https"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := []corev1.ServicePort{{
				Name: tt.scheme, AppProtocol: &tt.scheme, Port: 8761, TargetPort: intstr.FromString(tt.scheme),
			}}
			if diff := cmp.Diff(want, service(t, tt.values).Spec.Ports); diff != "" {
				t.Errorf("ports of the Service (-want +got):\n%s", diff)
			}
			wantPorts := []corev1.ContainerPort{
				{Name: tt.scheme, ContainerPort: 8761},
				{Name: "admin", ContainerPort: 8081},
			}
			if diff := cmp.Diff(wantPorts, container(t, tt.values).Ports); diff != "" {
				t.Errorf("ports of the container (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServiceLeadsToTheCallbackBridge(t *testing.T) {
	tests := []struct{ name, values, scheme string }{
		{name: "plain", values: "bridge: {callback: {enabled: true}}", scheme: "http"},
		{name: "TLS", values: "{bridge: {callback: {enabled: true}}, tls: {secretName: cert}}", scheme: "https"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ports := service(t, tt.values).Spec.Ports
			want := corev1.ServicePort{Name: "callback", AppProtocol: &tt.scheme, Port: 3000, TargetPort: intstr.FromString("callback")}
			if diff := cmp.Diff(want, ports[len(ports)-1]); diff != "" {
				t.Errorf("last port of the Service (-want +got):\n%s", diff)
			}
			containerPorts := container(t, tt.values).Ports
			if diff := cmp.Diff(corev1.ContainerPort{Name: "callback", ContainerPort: 3000}, containerPorts[len(containerPorts)-1]); diff != "" {
				t.Errorf("last port of the container (-want +got):\n%s", diff)
			}
		})
	}
}

func TestServiceTypeAndAnnotations(t *testing.T) {
	got := service(t, "service: {type: LoadBalancer, annotations: {internal: 'true'}}")
	if got.Spec.Type != corev1.ServiceTypeLoadBalancer || got.Annotations["internal"] != "true" {
		t.Errorf("type %s and annotations %v, want LoadBalancer and internal=true", got.Spec.Type, got.Annotations)
	}
}

func TestServiceMonitorFindsTheAdminService(t *testing.T) {
	all := render(t, "serviceMonitor: {enabled: true, interval: 15s, labels: {release: prometheus}}")
	var admin corev1.Service
	for _, s := range of[corev1.Service](t, all, "Service") {
		if s.Labels["app.kubernetes.io/component"] == "admin" {
			admin = s
		}
	}
	if admin.Spec.ClusterIP != corev1.ClusterIPNone || len(admin.Spec.Ports) != 1 || admin.Spec.Ports[0].Name != "admin" {
		t.Fatalf("admin Service = %+v, want a headless one with the port admin", admin.Spec)
	}
	monitor := unstructured.Unstructured{Object: only[map[string]any](t, all, "ServiceMonitor")}
	if got := monitor.GetLabels()["release"]; got != "prometheus" {
		t.Errorf("label release = %q, want prometheus", got)
	}
	selector, _, err := unstructured.NestedStringMap(monitor.Object, "spec", "selector", "matchLabels")
	if err != nil || !labels.SelectorFromSet(selector).Matches(labels.Set(admin.Labels)) {
		t.Errorf("selector %v does not match the admin Service's labels %v (%v)", selector, admin.Labels, err)
	}
	if labels.SelectorFromSet(selector).Matches(labels.Set(service(t, "").Labels)) {
		t.Errorf("selector %v matches the Service of the API too", selector)
	}
	endpoints, _, err := unstructured.NestedSlice(monitor.Object, "spec", "endpoints")
	want := []any{map[string]any{"port": "admin", "path": "/metrics", "interval": "15s"}}
	if diff := cmp.Diff(want, endpoints); diff != "" || err != nil {
		t.Errorf("endpoints (-want +got):\n%s%v", diff, err)
	}
}

package charttest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func ports(names ...string) []networkingv1.NetworkPolicyPort {
	var all []networkingv1.NetworkPolicyPort
	for _, name := range names {
		all = append(all, networkingv1.NetworkPolicyPort{Port: new(intstr.FromString(name))})
	}
	return all
}

func podPeer(labels map[string]string) networkingv1.NetworkPolicyPeer {
	return networkingv1.NetworkPolicyPeer{PodSelector: &metav1.LabelSelector{MatchLabels: labels}}
}

func TestNetworkPolicyLetsIn(t *testing.T) {
	client := podPeer(map[string]string{"role": "client"})
	prometheus := podPeer(map[string]string{"role": "prometheus"})
	test := podPeer(map[string]string{
		"app.kubernetes.io/name":      "eurekube",
		"app.kubernetes.io/instance":  release,
		"app.kubernetes.io/component": "test",
	})
	tests := []struct {
		name   string
		values string
		want   []networkingv1.NetworkPolicyIngressRule
	}{
		{
			name:   "everybody to the API, nobody to the admin port",
			values: "networkPolicy: {enabled: true}",
			want:   []networkingv1.NetworkPolicyIngressRule{{Ports: ports("http")}},
		},
		{
			name:   "the port's name under TLS",
			values: "{networkPolicy: {enabled: true}, tls: {secretName: cert}}",
			want:   []networkingv1.NetworkPolicyIngressRule{{Ports: ports("https")}},
		},
		{
			name:   "programs of the callback registry too",
			values: "{networkPolicy: {enabled: true}, bridge: {callback: {enabled: true}}}",
			want:   []networkingv1.NetworkPolicyIngressRule{{Ports: ports("http", "callback")}},
		},
		{
			name:   "clients and the test pod",
			values: "networkPolicy: {enabled: true, from: [{podSelector: {matchLabels: {role: client}}}]}",
			want:   []networkingv1.NetworkPolicyIngressRule{{Ports: ports("http"), From: []networkingv1.NetworkPolicyPeer{client, test}}},
		},
		{
			name:   "clients without a test pod",
			values: "{networkPolicy: {enabled: true, from: [{podSelector: {matchLabels: {role: client}}}]}, test: {enabled: false}}",
			want:   []networkingv1.NetworkPolicyIngressRule{{Ports: ports("http"), From: []networkingv1.NetworkPolicyPeer{client}}},
		},
		{
			name: "Prometheus to the admin port",
			values: `{networkPolicy: {enabled: true, adminFrom: [{podSelector: {matchLabels: {role: prometheus}}}]},
				serviceMonitor: {enabled: true}}`,
			want: []networkingv1.NetworkPolicyIngressRule{
				{Ports: ports("http")},
				{Ports: ports("admin"), From: []networkingv1.NetworkPolicyPeer{prometheus}},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spec := only[networkingv1.NetworkPolicy](t, render(t, tt.values), "NetworkPolicy").Spec
			if diff := cmp.Diff(tt.want, spec.Ingress); diff != "" {
				t.Errorf("ingress (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]networkingv1.PolicyType{networkingv1.PolicyTypeIngress}, spec.PolicyTypes); diff != "" {
				t.Errorf("policy types (-want +got):\n%s", diff)
			}
		})
	}
}

package charttest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLint(t *testing.T) {
	if out, err := helm(t, "", "lint", "--strict", chart); err != nil {
		t.Errorf("helm lint: %v\n%s", err, out)
	}
}

// switches are values, and which objects they add to those of the defaults and take
// away from them.
type switches []struct {
	name   string
	values string
	added  []string
	absent []string
}

func (tests switches) run(t *testing.T) {
	defaults := []string{
		"ClusterRole/platform-shop-registry-eurekube",
		"ClusterRoleBinding/platform-shop-registry-eurekube",
		"Deployment platform/shop-registry-eurekube",
		"Pod platform/shop-registry-eurekube-test",
		"Role platform/shop-registry-eurekube-overrides",
		"RoleBinding platform/shop-registry-eurekube-overrides",
		"Service platform/shop-registry-eurekube",
		"ServiceAccount platform/shop-registry-eurekube",
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := map[string]bool{}
			for _, name := range append(defaults, tt.added...) {
				want[name] = true
			}
			for _, name := range tt.absent {
				delete(want, name)
			}
			got := map[string]bool{}
			for _, name := range render(t, tt.values).names() {
				got[name] = true
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("objects with %q (-want +got):\n%s", tt.values, diff)
			}
		})
	}
}

func TestSwitchesRenderTheirObjects(t *testing.T) {
	switches{
		{name: "defaults"},
		{name: "two servers have a budget", values: "replicas: 2", added: []string{"PodDisruptionBudget platform/shop-registry-eurekube"}},
		{name: "no test pod", values: "test: {enabled: false}", absent: []string{"Pod platform/shop-registry-eurekube-test"}},
		{name: "admin service", values: "adminService: {enabled: true}", added: []string{"Service platform/shop-registry-eurekube-admin"}},
		{
			name:   "service monitor brings the admin service",
			values: "serviceMonitor: {enabled: true}",
			added:  []string{"Service platform/shop-registry-eurekube-admin", "ServiceMonitor platform/shop-registry-eurekube"},
		},
		{name: "network policy", values: "networkPolicy: {enabled: true}", added: []string{"NetworkPolicy platform/shop-registry-eurekube"}},
	}.run(t)
}

func TestSwitchesRenderTheirRights(t *testing.T) {
	rights := []string{
		"ClusterRole/platform-shop-registry-eurekube", "ClusterRoleBinding/platform-shop-registry-eurekube",
		"Role platform/shop-registry-eurekube-overrides", "RoleBinding platform/shop-registry-eurekube-overrides",
	}
	switches{
		{
			name:   "no self-registration",
			values: "selfRegistration: off",
			added:  []string{"PodDisruptionBudget platform/shop-registry-eurekube"},
			absent: []string{"Role platform/shop-registry-eurekube-overrides", "RoleBinding platform/shop-registry-eurekube-overrides"},
		},
		{
			name:   "service account of somebody else",
			values: "serviceAccount: {create: false, name: reader}",
			absent: []string{"ServiceAccount platform/shop-registry-eurekube"},
		},
		{
			name:   "roles of somebody else",
			values: "rbac: {create: false}",
			absent: rights,
		},
		{
			name:   "namespaces of somebody else's roles",
			values: "{namespaces: [a], rbac: {create: false}}",
			absent: rights,
		},
		{
			name:   "namespaces",
			values: "namespaces: [a, b]",
			added: []string{
				"Role a/platform-shop-registry-eurekube", "Role b/platform-shop-registry-eurekube",
				"RoleBinding a/platform-shop-registry-eurekube", "RoleBinding b/platform-shop-registry-eurekube",
			},
			absent: []string{"ClusterRole/platform-shop-registry-eurekube", "ClusterRoleBinding/platform-shop-registry-eurekube"},
		},
	}.run(t)
}

func TestNames(t *testing.T) {
	tests := []struct{ name, values, want string }{
		{name: "release and chart", values: "", want: "shop-registry-eurekube"},
		{name: "name in the release", values: "nameOverride: registry", want: "shop-registry"},
		{name: "full name", values: "fullnameOverride: eureka", want: "eureka"},
		{
			name:   "no longer than a label",
			values: "nameOverride: " + strings.Repeat("n", 63),
			want:   "shop-registry-" + strings.Repeat("n", 49),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := service(t, tt.values).Name; got != tt.want {
				t.Errorf("name of the Service = %q, want %q", got, tt.want)
			}
		})
	}
}

package charttest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	readPods  = rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"list", "watch"}}
	readNodes = rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"list", "watch"}}

	writeEvents = rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"events"}, Verbs: []string{"create"}}
)

func subjects(serviceAccount string) []rbacv1.Subject {
	return []rbacv1.Subject{{Kind: "ServiceAccount", Name: serviceAccount, Namespace: namespace}}
}

func TestClusterRoleHoldsWhatIsUsedAndNothingMore(t *testing.T) {
	tests := []struct {
		name    string
		values  string
		rules   []rbacv1.PolicyRule
		account string
	}{
		{name: "defaults", values: "", rules: []rbacv1.PolicyRule{readPods, writeEvents, readNodes}, account: "shop-registry-eurekube"},
		{name: "without zones", values: "zoneFromNodes: false", rules: []rbacv1.PolicyRule{readPods, writeEvents}, account: "shop-registry-eurekube"},
		{name: "all Events", values: "podEvents: all", rules: []rbacv1.PolicyRule{readPods, writeEvents, readNodes}, account: "shop-registry-eurekube"},
		{name: "no Events", values: "podEvents: none", rules: []rbacv1.PolicyRule{readPods, readNodes}, account: "shop-registry-eurekube"},
		{name: "named account", values: "serviceAccount: {name: reader}", rules: []rbacv1.PolicyRule{readPods, writeEvents, readNodes}, account: "reader"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := render(t, tt.values)
			role := only[rbacv1.ClusterRole](t, all, "ClusterRole")
			if diff := cmp.Diff(tt.rules, role.Rules); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
			binding := only[rbacv1.ClusterRoleBinding](t, all, "ClusterRoleBinding")
			if diff := cmp.Diff(rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}, binding.RoleRef); diff != "" {
				t.Errorf("role of the binding (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(subjects(tt.account), binding.Subjects); diff != "" {
				t.Errorf("subjects (-want +got):\n%s", diff)
			}
			if got := deployment(t, tt.values).Spec.Template.Spec.ServiceAccountName; got != tt.account {
				t.Errorf("account of the pods = %q, want %q", got, tt.account)
			}
		})
	}
}

func TestFieldCase103_NamespacesNeedOnlyRoles(t *testing.T) {
	tests := []struct {
		name   string
		values string
		rules  []rbacv1.PolicyRule
	}{
		{name: "with zones, which no Role can permit", values: "{namespaces: [a, b], zoneFromNodes: true}", rules: []rbacv1.PolicyRule{readPods, writeEvents}},
		{name: "no Events", values: "{namespaces: [a, b], podEvents: none}", rules: []rbacv1.PolicyRule{readPods}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { wantRolesInAAndB(t, tt.values, tt.rules) })
	}
}

func wantRolesInAAndB(t *testing.T, values string, rules []rbacv1.PolicyRule) {
	t.Helper()
	all := render(t, values)
	isOurs := func(o metav1.Object) bool { return o.GetNamespace() == namespace }
	roles := slices.DeleteFunc(of[rbacv1.Role](t, all, "Role"), func(r rbacv1.Role) bool { return isOurs(&r) })
	bindings := slices.DeleteFunc(of[rbacv1.RoleBinding](t, all, "RoleBinding"), func(b rbacv1.RoleBinding) bool { return isOurs(&b) })
	if len(roles) != 2 || len(bindings) != 2 {
		t.Fatalf("rendered %d Roles and %d RoleBindings, want 2 and 2: %q", len(roles), len(bindings), all.names())
	}
	for i, name := range []string{"a", "b"} {
		if diff := cmp.Diff(rules, roles[i].Rules); diff != "" {
			t.Errorf("rules in namespace %s (-want +got):\n%s", name, diff)
		}
		if roles[i].Namespace != name || bindings[i].Namespace != name {
			t.Errorf("namespaces of Role and RoleBinding = %s and %s, want %s", roles[i].Namespace, bindings[i].Namespace, name)
		}
		if diff := cmp.Diff(rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: roles[i].Name}, bindings[i].RoleRef); diff != "" {
			t.Errorf("role of the binding in %s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(subjects("shop-registry-eurekube"), bindings[i].Subjects); diff != "" {
			t.Errorf("subjects in %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOverridesNeedOneConfigMapInTheReleasesNamespace(t *testing.T) {
	const name = "shop-registry-eurekube-overrides"
	all := render(t, "")
	role := only[rbacv1.Role](t, all, "Role")
	want := []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"configmaps"}, ResourceNames: []string{name}, Verbs: []string{"get", "list", "watch", "update"}},
		{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"create"}},
	}
	if diff := cmp.Diff(want, role.Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	binding := only[rbacv1.RoleBinding](t, all, "RoleBinding")
	if role.Namespace != namespace || binding.Namespace != namespace {
		t.Errorf("namespaces of Role and RoleBinding = %s and %s, want %s", role.Namespace, binding.Namespace, namespace)
	}
	if diff := cmp.Diff(rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name}, binding.RoleRef); diff != "" {
		t.Errorf("role of the binding (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(subjects("shop-registry-eurekube"), binding.Subjects); diff != "" {
		t.Errorf("subjects (-want +got):\n%s", diff)
	}
	wantArg(t, container(t, "").Args, "--overrides-configmap="+name)
}

func TestWebhooksNeedOneLeaseInTheReleasesNamespace(t *testing.T) {
	const name = "shop-registry-eurekube-webhook"
	all := render(t, "webhook: {urls: ['https://hooks.example/orders']}")
	roles := of[rbacv1.Role](t, all, "Role")
	i := slices.IndexFunc(roles, func(r rbacv1.Role) bool { return r.Name == name })
	if i < 0 || roles[i].Namespace != namespace {
		t.Fatalf("no Role %s in %s among %q", name, namespace, all.names())
	}
	want := []rbacv1.PolicyRule{
		{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, ResourceNames: []string{name}, Verbs: []string{"get", "update"}},
		{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, Verbs: []string{"create"}},
	}
	if diff := cmp.Diff(want, roles[i].Rules); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	bindings := of[rbacv1.RoleBinding](t, all, "RoleBinding")
	if !slices.ContainsFunc(bindings, func(b rbacv1.RoleBinding) bool { return b.RoleRef.Name == name && b.Namespace == namespace }) {
		t.Errorf("nobody is given the Role %s", name)
	}
}

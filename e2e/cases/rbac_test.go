package cases

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

// The chart grants what the program uses and nothing else. The audit log says
// what it used.
func TestChart_GrantsExactlyWhatIsUsed(t *testing.T) {
	for _, test := range []struct {
		name       string
		namespaced bool
		values     []string
		refused    []string
	}{
		{name: "cluster-wide with zones"},
		{
			name:   "cluster-wide without zones",
			values: []string{"zoneFromNodes=false"},
			// Whether it may read nodes, the program finds out by trying.
			refused: []string{"forbidden: * /nodes list", "forbidden: * /nodes watch"},
		},
		{name: "one namespace", namespaced: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			namespace := newNamespace(t)
			var args []string
			values := test.values
			if test.namespaced {
				args = append(args, "--namespaces="+namespace)
				values = append(values, "namespaces={"+namespace+"}")
			}
			createReady(t, namespace, "orders-1", "orders")
			create(t, namespace, portless("orders-2"), readyStatus(newAddress())) // for an Event
			installed := installChart(t, namespace, values...)
			kubeconfig := installed.kubeconfig(t, "")

			// An API server that cannot stream a list makes client-go list first.
			for _, env := range []string{"KUBE_FEATURE_WatchListClient=true", "KUBE_FEATURE_WatchListClient=false"} {
				program := startProgramWith(t, []string{env}, kubeconfig, args...)
				program.expectReady(t)
				orders := program.expectListed(t, soon, namespace, "orders-1")
				program.override(t, orders[0], http.MethodPut, "OUT_OF_SERVICE")
				suite.Eventually(t, soon, func() error { return keptOverrides(t, namespace, 1) })
				program.override(t, orders[0], http.MethodDelete, "")
				suite.Eventually(t, soon, func() error { return keptOverrides(t, namespace, 0) })
			}

			granted := installed.granted(t)
			if len(granted) == 0 {
				t.Fatal("the chart grants nothing")
			}
			want := slices.Sorted(slices.Values(slices.Concat(granted, test.refused)))
			suite.Eventually(t, soon, func() error {
				used, err := installed.used(granted)
				if diff := cmp.Diff(want, used); err == nil && diff != "" {
					err = fmt.Errorf("rights differ (-granted +used):\n%s", diff)
				}
				return err
			})
		})
	}
}

// used returns each right that the API server let the installation use, as
// "NAMESPACE GROUP/RESOURCE VERB", sorted; a star is the cluster, also for what was
// used in a namespace by a right that is granted cluster-wide. One it was refused
// shows as such.
func (i installation) used(granted []string) ([]string, error) {
	events, err := cluster.Audit(i.user())
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	for _, event := range events {
		right := event.Verb + " " + event.RequestURI
		if ref := event.ObjectRef; ref != nil {
			right = formatRight(ref.Namespace, ref.APIGroup, ref.Resource, event.Verb)
			if everywhere := formatRight("", ref.APIGroup, ref.Resource, event.Verb); slices.Contains(granted, everywhere) {
				right = everywhere
			}
		}
		if event.ResponseStatus.Code == http.StatusForbidden {
			right = "forbidden: " + right
		}
		used[right] = true
	}
	return slices.Sorted(maps.Keys(used)), nil
}

// granted returns each right of the roles that are bound to the installation's
// service account, in the form of used.
func (i installation) granted(t *testing.T) []string {
	t.Helper()
	granted := map[string]bool{}
	add := func(namespace string, rules []rbacv1.PolicyRule) {
		for _, rule := range rules {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					for _, verb := range rule.Verbs {
						granted[formatRight(namespace, group, resource, verb)] = true
					}
				}
			}
		}
	}
	for _, binding := range i.roleBindings(t) {
		role, err := client.RbacV1().Roles(binding.Namespace).Get(t.Context(), binding.RoleRef.Name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		add(binding.Namespace, role.Rules)
	}
	for _, binding := range i.clusterRoleBindings(t) {
		role, err := client.RbacV1().ClusterRoles().Get(t.Context(), binding.RoleRef.Name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		add("", role.Rules)
	}
	return slices.Sorted(maps.Keys(granted))
}

func (i installation) roleBindings(t *testing.T) []rbacv1.RoleBinding {
	t.Helper()
	list, err := client.RbacV1().RoleBindings("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list.Items, func(b rbacv1.RoleBinding) bool { return !i.isAmong(b.Subjects) })
}

func (i installation) clusterRoleBindings(t *testing.T) []rbacv1.ClusterRoleBinding {
	t.Helper()
	list, err := client.RbacV1().ClusterRoleBindings().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list.Items, func(b rbacv1.ClusterRoleBinding) bool { return !i.isAmong(b.Subjects) })
}

func (i installation) isAmong(subjects []rbacv1.Subject) bool {
	return slices.ContainsFunc(subjects, func(s rbacv1.Subject) bool {
		return s.Kind == rbacv1.ServiceAccountKind && s.Namespace == i.namespace && s.Name == i.serviceAccount
	})
}

func formatRight(namespace, group, resource, verb string) string {
	if namespace == "" {
		namespace = "*"
	}
	return fmt.Sprintf("%s %s/%s %s", namespace, group, resource, verb)
}

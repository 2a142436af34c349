package cases

import (
	"fmt"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

// healTime is how long the program may take to try again what was forbidden or
// cut off: client-go waits longer each time, up to half a minute and some more.
const healTime = 90 * time.Second

func TestFieldCase103_ForbiddenNamespaceIsSkippedAndHeals(t *testing.T) {
	t.Parallel()
	allowed, forbidden := newNamespace(t), newNamespace(t)
	createReady(t, allowed, "orders-1", "orders")
	createReady(t, forbidden, "cart-1", "cart")
	installed := installChart(t, allowed, "namespaces={"+allowed+"}")
	program := startProgram(t, installed.kubeconfig(t, ""), "--namespaces="+allowed+","+forbidden)

	program.expectReady(t)
	program.expectListed(t, soon, allowed, "orders-1")
	program.expectListed(t, soon, forbidden)
	program.expectWatchUp(t, soon, allowed, 1)
	program.expectWatchUp(t, soon, forbidden, 0)
	suite.Eventually(t, soon, func() error {
		if log := program.LogTail(1000); !strings.Contains(log, forbidden) {
			return fmt.Errorf("the log does not name %s:\n%s", forbidden, log)
		}
		return nil
	})

	permit(t, installed, forbidden)
	program.expectListed(t, healTime, forbidden, "cart-1")
	program.expectListed(t, soon, allowed, "orders-1")
	program.expectWatchUp(t, soon, forbidden, 1)
	expectNamespacedOnly(t, installed, allowed, forbidden)
}

// A right that is taken away is noticed when the watch has to begin again. It
// says nothing about the pods, so they stay.
func TestRBAC_RevokedRightRemovesNoPod(t *testing.T) {
	t.Parallel()
	home, other := newNamespace(t), newNamespace(t)
	createReady(t, other, "cart-1", "cart")
	installed := installChart(t, home, "namespaces={"+home+"}")
	permit(t, installed, other)
	proxy := startProxy(t)
	program := startProgram(t, installed.kubeconfig(t, proxy.Address()), "--namespaces="+home+","+other)
	program.expectReady(t)
	program.expectListed(t, soon, other, "cart-1")

	if err := client.RbacV1().RoleBindings(other).Delete(t.Context(), release, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	proxy.Cut()
	proxy.Restore()
	program.expectWatchUp(t, healTime, other, 0)
	program.expectUnchanged(t, 2*time.Second, other, "cart-1")

	createReady(t, other, "cart-2", "cart")
	bind(t, installed, other)
	program.expectListed(t, healTime, other, "cart-1", "cart-2")
	program.expectWatchUp(t, soon, other, 1)
}

func (p *program) expectWatchUp(t *testing.T, within time.Duration, namespace string, want float64) {
	t.Helper()
	suite.Eventually(t, within, func() error {
		got, err := p.gauge(t.Context(), "eurekube_namespace_watch_up", "namespace", namespace)
		if err == nil && got != want {
			err = fmt.Errorf("eurekube_namespace_watch_up of %s = %v, want %v", namespace, got, want)
		}
		return err
	})
}

// permit does in namespace what the chart does in those it is installed for.
func permit(t *testing.T, installed installation, namespace string) {
	t.Helper()
	role := &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Name: release},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"list", "watch"}}},
	}
	if _, err := client.RbacV1().Roles(namespace).Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	bind(t, installed, namespace)
}

func bind(t *testing.T, installed installation, namespace string) {
	t.Helper()
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: release},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: release},
		Subjects: []rbacv1.Subject{{
			Kind: rbacv1.ServiceAccountKind, Name: installed.serviceAccount, Namespace: installed.namespace,
		}},
	}
	if _, err := client.RbacV1().RoleBindings(namespace).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// expectNamespacedOnly reads the audit log: every request was for pods of one
// of the namespaces, or for the ConfigMap of overrides in the release's own, so
// there was none at cluster scope.
func expectNamespacedOnly(t *testing.T, installed installation, namespaces ...string) {
	t.Helper()
	events, err := cluster.Audit(installed.user())
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, event := range events {
		if event.ObjectRef == nil {
			t.Errorf("%s %s is not for a namespace", event.Verb, event.RequestURI)
			continue
		}
		asked[event.ObjectRef.Namespace] = true
		overrides := event.ObjectRef.Resource == "configmaps" && event.ObjectRef.Namespace == installed.namespace
		if event.ObjectRef.Resource != "pods" && !overrides {
			t.Errorf("%s %s is not for pods", event.Verb, event.RequestURI)
		}
	}
	if len(asked) != len(namespaces) {
		t.Errorf("requests were for the namespaces %v, want %v", asked, namespaces)
	}
	for _, namespace := range namespaces {
		if !asked[namespace] {
			t.Errorf("no request was for namespace %s", namespace)
		}
	}
}

func TestFieldCase104_SameServiceInTwoNamespaces(t *testing.T) {
	t.Parallel()
	a, b := newNamespace(t), newNamespace(t)
	createReady(t, a, "gateway-1", "gateway")
	createReady(t, b, "gateway-1", "gateway")
	installed := installChart(t, a, "namespaces={"+a+","+b+"}")
	kubeconfig := installed.kubeconfig(t, "")

	both := startProgram(t, kubeconfig, "--namespaces="+a+","+b)
	both.expectReady(t)
	inA := both.expectListed(t, soon, a, "gateway-1")[0]
	inB := both.expectListed(t, soon, b, "gateway-1")[0]
	if inA.ID == inB.ID || inA.App != inB.App {
		t.Errorf("listed as %s of %s and %s of %s, want two ids of one app", inA.ID, inA.App, inB.ID, inB.App)
	}

	one := startProgram(t, kubeconfig, "--namespaces="+a)
	one.expectReady(t)
	one.expectListed(t, soon, a, "gateway-1")
	one.expectListed(t, soon, b)
}

package cases

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

// An installation without the right to keep overrides serves and takes them all the
// same, says that they will not outlive it, and keeps them once it may.
func TestOverrides_RefusedConfigMapIsToleratedAndHeals(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	installed := installChart(t, namespace, "namespaces={"+namespace+"}")
	withheld := withholdOverrides(t, namespace)

	program := startProgram(t, installed.kubeconfig(t, ""), "--namespaces="+namespace)
	program.expectReady(t)
	orders := program.expectListed(t, soon, namespace, "orders-1")
	program.override(t, orders[0], http.MethodPut, "OUT_OF_SERVICE")
	program.expectStatus(t, namespace, "OUT_OF_SERVICE")
	suite.Eventually(t, soon, func() error {
		if log := program.LogTail(1000); !strings.Contains(log, "Overrides of pods could not be kept") {
			return fmt.Errorf("the log does not say that overrides cannot be kept:\n%s", log)
		}
		return nil
	})
	if err := keptOverrides(t, namespace, 0); err != nil {
		t.Fatalf("the right was not withheld: %v", err)
	}

	if _, err := client.RbacV1().RoleBindings(namespace).Create(t.Context(), withheld, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	suite.Eventually(t, healTime, func() error { return keptOverrides(t, namespace, 1) })
	program.expectStatus(t, namespace, "OUT_OF_SERVICE")
}

// withholdOverrides takes the chart's binding for the ConfigMap away and returns it
// as it can be created again.
func withholdOverrides(t *testing.T, namespace string) *rbacv1.RoleBinding {
	t.Helper()
	bindings := client.RbacV1().RoleBindings(namespace)
	binding, err := bindings.Get(t.Context(), release+"-overrides", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := bindings.Delete(t.Context(), binding.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	return &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: binding.Name},
		RoleRef:    binding.RoleRef,
		Subjects:   binding.Subjects,
	}
}

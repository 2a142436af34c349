package cases

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

// An operator takes a pod out; the server dies and another one starts.
func TestFieldCase94_OverridesOfPodsSurviveARestart(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	program := startIn(t, namespace)
	orders := program.expectListed(t, soon, namespace, "orders-1")
	program.override(t, orders[0], http.MethodPut, "OUT_OF_SERVICE")
	program.expectStatus(t, namespace, "OUT_OF_SERVICE")
	suite.Eventually(t, soon, func() error { return keptOverrides(t, namespace, 1) })
	if err := program.Kill(); err != nil {
		t.Fatal(err)
	}

	installed := installation{namespace: namespace, serviceAccount: release}
	second := startProgram(t, installed.kubeconfig(t, ""), "--namespaces="+namespace)
	second.expectReady(t)
	answer, err := second.list(t.Context(), "apps")
	if found := answer.in(namespace); err != nil || len(found) != 1 || found[0].Status != "OUT_OF_SERVICE" {
		t.Fatalf("the first answer after the restart lists %v, %v; want one instance that is OUT_OF_SERVICE", found, err)
	}
	second.override(t, orders[0], http.MethodDelete, "")
	second.expectStatus(t, namespace, "UP")

	second.override(t, orders[0], http.MethodPut, "DOWN")
	suite.Eventually(t, soon, func() error { return keptOverrides(t, namespace, 1) })
	kubectl(t, "delete", "pod", "orders-1", "--namespace="+namespace, "--grace-period=0", "--force")
	suite.Eventually(t, soon, func() error { return keptOverrides(t, namespace, 0) })
}

// override sets the status of an instance, or takes it back with DELETE.
func (p *program) override(t *testing.T, of instance, method, status string) {
	t.Helper()
	address := fmt.Sprintf("%s/eureka/apps/%s/%s/status", p.base, of.App, url.PathEscape(of.ID))
	if status != "" {
		address += "?value=" + status
	}
	request, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := httpClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s %s = %d", method, address, response.StatusCode)
	}
}

// expectStatus waits until the one instance of namespace has that status.
func (p *program) expectStatus(t *testing.T, namespace, status string) {
	t.Helper()
	suite.Eventually(t, soon, func() error {
		answer, err := p.list(t.Context(), "apps")
		if err != nil {
			return err
		}
		if found := answer.in(namespace); len(found) != 1 || found[0].Status != status {
			return fmt.Errorf("listed are %v, want one that is %s", found, status)
		}
		return nil
	})
}

// keptOverrides returns an error unless the ConfigMap keeps that many.
func keptOverrides(t *testing.T, namespace string, want int) error {
	found, err := client.CoreV1().ConfigMaps(namespace).Get(t.Context(), release+"-overrides", metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	kept := map[string]string{}
	if text, ok := found.Data["overrides.json"]; ok {
		if err := json.Unmarshal([]byte(text), &kept); err != nil {
			return err
		}
	}
	if len(kept) != want {
		return fmt.Errorf("kept overrides are %v, want %d", kept, want)
	}
	return nil
}

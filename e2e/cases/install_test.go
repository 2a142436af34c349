package cases

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eurekube/eurekube/e2e/suite"
)

// The whole life of a release, in a namespace that refuses pods which ask for
// more than the restricted standard permits.
func TestChart_InstallsUpgradesAndLeavesNothing(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	kubectl(t, "label", "namespace", namespace, "pod-security.kubernetes.io/enforce=restricted")

	const wait = "--wait"
	in := "--namespace=" + namespace
	helm(t, "install", release, chart, in, wait)
	expectServers(t, namespace, 1)
	if owned := ownedObjects(t, namespace); len(owned) < 5 {
		t.Fatalf("the release owns %q, want its account, role, binding, deployment and service at least", owned)
	}
	helm(t, "upgrade", release, chart, in, wait, "--set=replicas=3", "--set=namespaces={"+namespace+"}",
		"--set=adminService.enabled=true", "--set=networkPolicy.enabled=true")
	expectServers(t, namespace, 3)

	helm(t, "uninstall", release, in, wait)
	if left := ownedObjects(t, namespace); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// expectServers waits until count pods of the chart are ready.
func expectServers(t *testing.T, namespace string, count int) {
	t.Helper()
	selector := "app.kubernetes.io/instance=" + release
	suite.Eventually(t, soon, func() error {
		list, err := pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: selector})
		if err != nil {
			return err
		}
		want, got := make([]string, count), []string{}
		for i := range list.Items {
			if pod := &list.Items[i]; isReady(pod) && pod.Status.Phase == corev1.PodRunning && pod.DeletionTimestamp == nil {
				got = append(got, "")
			}
		}
		return sameNames(got, want)
	})
}

// ownedObjects names what carries the release's label: in namespace, and at
// cluster scope what is named after it.
func ownedObjects(t *testing.T, namespace string) []string {
	t.Helper()
	const kinds = "serviceaccounts,services,deployments,poddisruptionbudgets,networkpolicies,roles,rolebindings"
	selector := "--selector=app.kubernetes.io/instance=" + release
	owned := strings.Fields(kubectl(t, "get", kinds, "--namespace="+namespace, selector, "--output=name"))
	for _, name := range strings.Fields(kubectl(t, "get", "clusterroles,clusterrolebindings", selector, "--output=name")) {
		if strings.Contains(name, namespace) {
			owned = append(owned, name)
		}
	}
	return owned
}

// The plain manifests and the demo, as deploy/README.md says.
func TestManifests_ServeTheDemo(t *testing.T) {
	t.Parallel()
	const namespace, shop = "eurekube", "shop" // as the files name them
	kubectl(t, "apply", "--filename=../../deploy/kubernetes/")
	kubectl(t, "rollout", "status", "deployment/"+release, "--namespace="+namespace, "--timeout=5m")
	kubectl(t, "create", "namespace", shop)
	kubectl(t, "apply", "--filename=../../deploy/demo/")

	installed := installation{namespace: namespace, serviceAccount: release}
	program := startProgram(t, installed.kubeconfig(t, ""))
	program.expectReady(t)
	suite.Eventually(t, soon, func() error {
		answer, err := program.list(t.Context(), "apps")
		if err != nil {
			return err
		}
		var apps []string
		for _, instance := range answer.in(shop) {
			apps = append(apps, instance.App+" "+instance.Status)
		}
		return sameNames(apps, []string{"CART UP", "LEGACY UP", "ORDERS UP", "ORDERS UP", "PAYMENT UP", "SHIPPING UP"})
	})
}

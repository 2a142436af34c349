package charttest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// A selector with a version in it would leave the old pods behind at an
// upgrade, or be refused.
var serverSelector = map[string]string{
	"app.kubernetes.io/name":      "eurekube",
	"app.kubernetes.io/instance":  release,
	"app.kubernetes.io/component": "server",
}

func TestSelectorsAgreeAndCarryNoVersion(t *testing.T) {
	all := render(t, "{replicas: 2, adminService: {enabled: true}, networkPolicy: {enabled: true}}")
	selectors := map[string]map[string]string{
		"Deployment":          deployment(t, "").Spec.Selector.MatchLabels,
		"PodDisruptionBudget": only[policyv1.PodDisruptionBudget](t, all, "PodDisruptionBudget").Spec.Selector.MatchLabels,
		"NetworkPolicy":       only[networkingv1.NetworkPolicy](t, all, "NetworkPolicy").Spec.PodSelector.MatchLabels,
	}
	for _, service := range of[corev1.Service](t, all, "Service") {
		selectors["Service "+service.Name] = service.Spec.Selector
	}
	for name, selector := range selectors {
		if diff := cmp.Diff(serverSelector, selector); diff != "" {
			t.Errorf("selector of %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestSelectorsMatchServersOnly(t *testing.T) {
	selector := labels.SelectorFromSet(serverSelector)
	server := deployment(t, "podLabels: {app.kubernetes.io/component: mine}").Spec.Template.Labels
	if !selector.Matches(labels.Set(server)) {
		t.Errorf("the pods' labels %v are not selected", server)
	}
	if test := only[corev1.Pod](t, render(t, ""), "Pod").Labels; selector.Matches(labels.Set(test)) {
		t.Errorf("the test pod's labels %v are selected", test)
	}
}

func TestEveryObjectCarriesTheRecommendedLabels(t *testing.T) {
	all := render(t, "{adminService: {enabled: true}, networkPolicy: {enabled: true}}")
	for _, object := range all {
		if object.GetKind() == "Pod" { // a hook, which is no part of the release
			continue
		}
		got := object.GetLabels()
		delete(got, "app.kubernetes.io/component")
		want := map[string]string{
			"helm.sh/chart":                "eurekube-0.1.0",
			"app.kubernetes.io/name":       "eurekube",
			"app.kubernetes.io/instance":   release,
			"app.kubernetes.io/version":    "v0.1.0",
			"app.kubernetes.io/managed-by": "Helm",
			"app.kubernetes.io/part-of":    "eurekube",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("labels of %s %s (-want +got):\n%s", object.GetKind(), object.GetName(), diff)
		}
	}
}

package controller_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eurekube/eurekube/controller"
	"github.com/eurekube/eurekube/eureka"
)

var overridesName = types.NamespacedName{Namespace: "platform", Name: "eurekube-overrides"}

func keepingOverrides(c *controller.Config) { c.Overrides = overridesName }

const (
	webKey       = "shop/web-1/uid-of-web-1"
	outOfService = eureka.StatusOutOfService
	document     = "overrides.json"
)

// kept is the document in the ConfigMap, empty when there is none.
func (r *rig) kept(t *testing.T) string {
	t.Helper()
	synctest.Wait()
	found, err := r.client.Tracker().Get(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, overridesName.Namespace, overridesName.Name)
	if apierrors.IsNotFound(err) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return found.(*corev1.ConfigMap).Data[document]
}

func (r *rig) wantKept(t *testing.T, want string) {
	t.Helper()
	if got := r.kept(t); got != want {
		t.Errorf("kept overrides are %q, want %q", got, want)
	}
}

// edit writes the document as somebody else would.
func (r *rig) edit(t *testing.T, text string) {
	t.Helper()
	maps := r.client.CoreV1().ConfigMaps(overridesName.Namespace)
	object := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: overridesName.Namespace, Name: overridesName.Name},
		Data:       map[string]string{document: text, "notes": "of somebody else"},
	}
	_, err := maps.Update(t.Context(), object, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		_, err = maps.Create(t.Context(), object, metav1.CreateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

// writes counts what was written to the ConfigMap, with success or not.
func (r *rig) writes() int {
	synctest.Wait()
	n := 0
	for _, a := range r.client.Actions() {
		if a.GetResource().Resource == "configmaps" && (a.GetVerb() == "create" || a.GetVerb() == "update") {
			n++
		}
	}
	return n
}

// restart ends the controller and runs another with an empty registry, as a new
// process does.
func (r *rig) restart(t *testing.T) {
	t.Helper()
	r.stop()
	r.anotherProcess()
	r.run(t, keepingOverrides)
}

func entry(podKey string, status eureka.Status) string {
	return fmt.Sprintf("{\n  %q: %q\n}", podKey, status)
}

package cases

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

// newNamespace creates a namespace for one test and returns its name. It stays
// until the cluster goes.
func newNamespace(t *testing.T) string {
	t.Helper()
	name := strings.ToLower(t.Name())
	name = strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, name)
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		// Helm makes the name of a release, and of what it owns, from it.
		GenerateName: strings.Trim(name[:min(len(name), 30)], "-") + "-",
	}}
	created, err := client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return created.Name
}

func pods(namespace string) typedcorev1.PodInterface {
	return client.CoreV1().Pods(namespace)
}

package charttest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// objects is one rendering of the chart, in Helm's order.
type objects []*unstructured.Unstructured

func parse(t *testing.T, manifests []byte) objects {
	t.Helper()
	var all objects
	for decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(manifests), 4096); ; {
		object := map[string]any{}
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("parse manifests: %v\n%s", err, manifests)
		}
		if len(object) > 0 {
			all = append(all, &unstructured.Unstructured{Object: object})
		}
	}
}

// names lists the objects as "Kind namespace/name", sorted.
func (o objects) names() []string {
	var names []string
	for _, object := range o {
		names = append(names, strings.TrimSuffix(object.GetKind()+" "+object.GetNamespace(), " ")+"/"+object.GetName())
	}
	slices.Sort(names)
	return names
}

// of returns the objects of one kind, decoded strictly: a field that the kind
// does not have fails the test. T is a map for a kind without a Go type.
func of[T any](t *testing.T, o objects, kind string) []T {
	t.Helper()
	var all []T
	for _, object := range o {
		if object.GetKind() != kind {
			continue
		}
		var typed T
		text, err := object.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict(text, &typed); err != nil {
			t.Fatalf("%s %s: %v", kind, object.GetName(), err)
		}
		all = append(all, typed)
	}
	return all
}

// only is of for a kind that must be there once.
func only[T any](t *testing.T, o objects, kind string) T {
	t.Helper()
	all := of[T](t, o, kind)
	if len(all) != 1 {
		t.Fatalf("rendered %d objects of kind %s, want 1; there are %q", len(all), kind, o.names())
	}
	return all[0]
}

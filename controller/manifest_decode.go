package controller

import (
	"bytes"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

// manifestScheme knows pods and lists and nothing else.
var manifestScheme = newManifestScheme()

func newManifestScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(corev1.SchemeGroupVersion, &corev1.Pod{}, &corev1.PodList{}, &corev1.List{})
	return scheme
}

// strictDecoder finds fields that no pod has, such as lables.
var strictDecoder runtime.Decoder = kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, manifestScheme, manifestScheme, kjson.SerializerOptions{Strict: true})

// documentError is what makes a file broken.
type documentError struct {
	document int // counted from 1
	err      error
}

func (e *documentError) Error() string { return e.err.Error() }
func (e *documentError) Unwrap() error { return e.err }

func documentOf(err error) int {
	var broken *documentError
	if errors.As(err, &broken) {
		return broken.document
	}
	return 0
}

// decode reads all documents. It fails when one cannot be read at all; lesser
// problems are noted with the file.
func (f *manifestFile) decode(data []byte, prefixes []string) ([]manifestPod, error) {
	documents, err := f.documents(data)
	if err != nil {
		return nil, err
	}
	var pods []manifestPod
	left := maxManifestSize
	for i, document := range documents {
		size, err := document.expand(left)
		if err != nil {
			return nil, &documentError{i + 1, err}
		}
		left -= size
		found, err := f.decodeDocument(i+1, document)
		if err != nil {
			return nil, &documentError{i + 1, err}
		}
		for _, pod := range found {
			if f.take(i+1, pod, prefixes) {
				pods = append(pods, manifestPod{i + 1, pod})
			}
		}
	}
	return pods, nil
}

// take completes a pod of document n, notes what is wrong with it, and reports
// whether it can be used.
func (f *manifestFile) take(n int, pod *corev1.Pod, prefixes []string) bool {
	for _, cause := range dropNoAddresses(pod) {
		f.note(n, effectTaken, cause)
	}
	if cause := complete(pod, f.taken.ModTime(), prefixes); cause != "" {
		f.note(n, effectSkipped, cause)
		return false
	}
	if cause := unlistable(pod, prefixes); cause != "" {
		f.note(n, effectTaken, cause)
	}
	return true
}

// decodeDocument is the pods of one document: a pod, or a list of pods.
func (f *manifestFile) decodeDocument(n int, d document) ([]*corev1.Pod, error) {
	asJSON, twice, err := d.json()
	if err != nil {
		return nil, err
	}
	for _, key := range twice {
		f.note(n, effectTaken, key)
	}
	obj, err := f.decodeObject(n, asJSON)
	if errors.Is(err, errNoObject) {
		return nil, fmt.Errorf("the document is %w", err)
	}
	if err != nil {
		return nil, err
	}
	switch obj := obj.(type) {
	case *corev1.Pod:
		return []*corev1.Pod{obj}, nil
	case *corev1.PodList:
		pods := make([]*corev1.Pod, 0, len(obj.Items))
		for i := range obj.Items {
			pods = append(pods, &obj.Items[i])
		}
		return pods, nil
	case *corev1.List:
		return f.decodeItems(n, obj)
	}
	return nil, nil
}

// decodeItems is the pods of a list of any kind, as kubectl get writes it.
func (f *manifestFile) decodeItems(n int, list *corev1.List) ([]*corev1.Pod, error) {
	var pods []*corev1.Pod
	for i, item := range list.Items {
		obj, err := f.decodeObject(n, item.Raw)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i+1, err)
		}
		switch obj := obj.(type) {
		case nil:
		case *corev1.Pod:
			pods = append(pods, obj)
		default:
			f.note(n, effectSkipped, fmt.Sprintf("item %d is a list in a list", i+1))
		}
	}
	return pods, nil
}

var errNoObject = errors.New("no object; a Pod begins with apiVersion: v1 and kind: Pod")

// decodeObject is one object, nil when it is of another kind.
func (f *manifestFile) decodeObject(n int, asJSON []byte) (runtime.Object, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(asJSON), []byte("{")) {
		return nil, errNoObject
	}
	obj, kind, err := strictDecoder.Decode(asJSON, nil, nil)
	strict, isStrict := runtime.AsStrictDecodingError(err)
	switch {
	case err == nil:
	case isStrict:
		for _, e := range strict.Errors() {
			f.note(n, effectTaken, e.Error())
		}
	case runtime.IsNotRegisteredError(err):
		f.note(n, effectSkipped, fmt.Sprintf("a %s of %s is no Pod of v1", kind.Kind, kind.GroupVersion()))
		return nil, nil
	case runtime.IsMissingKind(err), runtime.IsMissingVersion(err):
		return nil, errors.New("apiVersion or kind is missing") // the decoder's error repeats the document
	default:
		if words := unquoted(asJSON); words != "" {
			return nil, errors.New(words)
		}
		if words := misfit(asJSON, kind); words != "" {
			return nil, errors.New(words)
		}
		return nil, err
	}
	return obj, nil
}

package controller

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"sigs.k8s.io/yaml"
)

// Strict decoders find fields that no pod has, such as lables, and keys that
// come twice. They know pods and lists and nothing else.
var (
	yamlDecoder = strictDecoder(true)
	jsonDecoder = strictDecoder(false)
)

func strictDecoder(isYAML bool) runtime.Decoder {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(corev1.SchemeGroupVersion, &corev1.Pod{}, &corev1.PodList{}, &corev1.List{})
	return kjson.NewSerializerWithOptions(kjson.DefaultMetaFactory, scheme, scheme, kjson.SerializerOptions{Yaml: isYAML, Strict: true})
}

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
	documents, decoder, err := f.documents(data)
	if err != nil {
		return nil, err
	}
	var pods []manifestPod
	for i, document := range documents {
		found, err := f.decodeDocument(i+1, document, decoder)
		if err != nil {
			return nil, &documentError{i + 1, err}
		}
		for _, pod := range found {
			if cause := complete(pod, f.taken.ModTime(), prefixes); cause != "" {
				f.problems = append(f.problems, f.problem(i+1, effectSkipped, cause))
				continue
			}
			if cause := unlistable(pod, prefixes); cause != "" {
				f.problems = append(f.problems, f.problem(i+1, effectTaken, cause))
			}
			pods = append(pods, manifestPod{i + 1, pod})
		}
	}
	return pods, nil
}

// documents cuts the file into documents and says how to decode them.
func (f *manifestFile) documents(data []byte) ([][]byte, runtime.Decoder, error) {
	if !strings.EqualFold(filepath.Ext(f.name), ".json") {
		return yamlDocuments(data), yamlDecoder, nil
	}
	documents, err := jsonDocuments(data)
	return documents, jsonDecoder, err
}

// decodeDocument is the pods of one document: a pod, or a list of pods.
func (f *manifestFile) decodeDocument(n int, data []byte, decoder runtime.Decoder) ([]*corev1.Pod, error) {
	obj, err := f.decodeObject(n, data, decoder)
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
		obj, err := f.decodeObject(n, item.Raw, jsonDecoder)
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", i+1, err)
		}
		switch obj := obj.(type) {
		case nil:
		case *corev1.Pod:
			pods = append(pods, obj)
		default:
			f.problems = append(f.problems, f.problem(n, effectSkipped, fmt.Sprintf("item %d is a list in a list", i+1)))
		}
	}
	return pods, nil
}

// decodeObject is one object, nil when it is empty or of another kind.
func (f *manifestFile) decodeObject(n int, data []byte, decoder runtime.Decoder) (runtime.Object, error) {
	asJSON, err := yaml.YAMLToJSON(data)
	if decoder == jsonDecoder {
		asJSON, err = data, nil
	}
	if err != nil {
		return nil, err
	}
	if string(bytes.TrimSpace(asJSON)) == "null" {
		return nil, nil // comments only
	}
	obj, kind, err := decoder.Decode(data, nil, nil)
	strict, isStrict := runtime.AsStrictDecodingError(err)
	switch {
	case err == nil:
	case isStrict:
		for _, e := range strict.Errors() {
			f.problems = append(f.problems, f.problem(n, effectTaken, e.Error()))
		}
	case runtime.IsNotRegisteredError(err):
		f.problems = append(f.problems, f.problem(n, effectSkipped, fmt.Sprintf("a %s of %s is no Pod of v1", kind.Kind, kind.GroupVersion())))
		return nil, nil
	case runtime.IsMissingKind(err), runtime.IsMissingVersion(err):
		return nil, errors.New("apiVersion or kind is missing") // client-go's error repeats the document
	default:
		return nil, err
	}
	return obj, nil
}

// yamlDocuments cuts at the lines that YAML keeps for this. Every document
// begins with as many empty lines as come before it in the file, so that the
// lines in errors are the file's.
func yamlDocuments(data []byte) [][]byte {
	var documents [][]byte
	var document []byte
	end := func(line int) {
		if len(bytes.TrimSpace(document)) > 0 {
			documents = append(documents, document)
		}
		document = bytes.Repeat([]byte("\n"), line)
	}
	for i, line := range bytes.SplitAfter(data, []byte("\n")) {
		word, rest, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(" "))
		switch string(word) {
		case "---":
			end(i)
			document = append(append(document, rest...), '\n')
		case "...":
			end(i + 1)
		default:
			document = append(document, line...)
		}
	}
	end(0)
	return documents
}

// jsonDocuments cuts a file of one or several JSON values.
func jsonDocuments(data []byte) ([][]byte, error) {
	var documents [][]byte
	decoder := json.NewDecoder(bytes.NewReader(data))
	for decoder.More() {
		var document json.RawMessage
		if err := decoder.Decode(&document); err != nil {
			offset := decoder.InputOffset()
			var syntax *json.SyntaxError
			if errors.As(err, &syntax) {
				offset = syntax.Offset
			}
			line := 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
			return nil, &documentError{len(documents) + 1, fmt.Errorf("line %d: %w", line, err)}
		}
		documents = append(documents, document)
	}
	return documents, nil
}

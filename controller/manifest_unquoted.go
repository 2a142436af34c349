package controller

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// metadataOfAny reads the labels and annotations of what is no pod because their
// values are no text.
type metadataOfAny struct {
	Metadata struct {
		Labels      map[string]any `json:"labels"`
		Annotations map[string]any `json:"annotations"`
	} `json:"metadata"`
	Items []metadataOfAny `json:"items"`
}

// maxUnquoted is how many keys a message names.
const maxUnquoted = 5

// unquoted explains in words why a document cannot be decoded when the reason is
// a label or annotation without quotes, such as 8080 or true in YAML. It is
// empty for any other reason: the decoder's own message names no key.
func unquoted(asJSON []byte) string {
	var root metadataOfAny
	if json.Unmarshal(asJSON, &root) != nil {
		return ""
	}
	found := root.unquoted(nil, "metadata")
	for i, item := range root.Items {
		found = item.unquoted(found, fmt.Sprintf("items[%d].metadata", i))
	}
	if len(found) > maxUnquoted {
		found = append(found[:maxUnquoted], fmt.Sprintf("and %d more", len(found)-maxUnquoted))
	}
	return strings.Join(found, "; ")
}

func (m *metadataOfAny) unquoted(found []string, at string) []string {
	for _, field := range []struct {
		name   string
		values map[string]any
	}{{"labels", m.Metadata.Labels}, {"annotations", m.Metadata.Annotations}} {
		for _, key := range slices.Sorted(maps.Keys(field.values)) {
			if kind := kindOf(field.values[key]); kind != "" {
				found = append(found, fmt.Sprintf("%s.%s: the value of %.80s is %s, quote it", at, field.name, key, kind))
			}
		}
	}
	return found
}

// kindOf names what is no text. Null is taken for the empty text.
func kindOf(value any) string {
	switch value.(type) {
	case string, nil:
		return ""
	case float64:
		return "a number"
	case bool:
		return "true or false"
	}
	return "a list or an object"
}

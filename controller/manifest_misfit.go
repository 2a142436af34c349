package controller

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// misfit names the field of a document whose value is of another kind than the
// field, such as a port in quotes. It is empty when that is not what is wrong. The
// decoder's own message names types of Go, and its error cannot be looked into.
func misfit(asJSON []byte, kind *schema.GroupVersionKind) string {
	if kind == nil {
		return ""
	}
	obj, err := manifestScheme.New(*kind)
	if err != nil {
		return ""
	}
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal(asJSON, obj))
	if !ok || wrong.Field == "" {
		return ""
	}
	value, number, _ := strings.Cut(wrong.Value, " ") // "number 80.5"
	is, belonging := inWords[value], belongs(wrong.Type)
	if is == belonging {
		return wrong.Field + " is " + number + ", which is not whole or too large"
	}
	return wrong.Field + " is " + is + " where " + belonging + " belongs"
}

// inWords are the kinds of values as encoding/json names them.
var inWords = map[string]string{"string": "text", "number": "a number", "bool": "true or false", "array": "a list", "object": "an object"}

// belongs is the kind of value that a field of that type takes.
func belongs(field reflect.Type) string {
	switch field.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a number"
}

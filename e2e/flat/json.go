package flat

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// JSON reads one document. Text stays in its quotes, so that a type that changed
// is a difference.
func (r Reader) JSON(text string) (Document, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("after the document: %v", err)
	}
	f := Document{}
	r.addJSON(f, "", root)
	return f, nil
}

func (r Reader) addJSON(f Document, path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		f[path] = Nested
		for name, member := range value {
			r.addJSON(f, path+"/"+name, member)
		}
	case []any:
		f[path] = Nested
		again := twins{}
		for i, item := range value {
			name := strconv.Itoa(i)
			if object, ok := item.(map[string]any); ok {
				name = r.nameOf(name, func(key string) string { text, _ := object[key].(string); return text })
			}
			r.addJSON(f, path+again.name("["+name+"]"), item)
		}
	case string:
		f[path] = strconv.Quote(value)
	default:
		f[path] = fmt.Sprint(value)
	}
}

// nameOf is what tells an item of a list from the others.
func (r Reader) nameOf(otherwise string, get func(string) string) string {
	for _, key := range r.Names {
		if name := get(key); name != "" {
			return name
		}
	}
	return otherwise
}

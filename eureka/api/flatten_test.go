package api

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A document in JSON or XML is compared as paths and values, such as
//
//	/applications/application[ORDERS]/instance[i1]/port/$  8080
//
// so that neither the order of maps nor that of lists counts. What holds other
// values has a path too, with the value "…".

// flat is a document, by path.
type flat map[string]string

const nested = "…"

// flattenJSON reads a document. Text stays in its quotes, so that a type that
// changed is a difference.
func flattenJSON(text string) (flat, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	f := flat{}
	f.addJSON("", root)
	return f, nil
}

func (f flat) addJSON(path string, value any) {
	switch value := value.(type) {
	case map[string]any:
		f[path] = nested
		for name, member := range value {
			f.addJSON(path+"/"+name, member)
		}
	case []any:
		f[path] = nested
		for i, item := range value {
			name := strconv.Itoa(i)
			if object, ok := item.(map[string]any); ok {
				name = nameOf(name, func(key string) string { text, _ := object[key].(string); return text })
			}
			f.addJSON(path+"["+name+"]", item)
		}
	case string:
		f[path] = strconv.Quote(value)
	default:
		f[path] = fmt.Sprint(value)
	}
}

// nameOf tells items of a list apart: instances by their id, or by their host
// name when they have none, and applications by their name.
func nameOf(otherwise string, get func(string) string) string {
	for _, key := range []string{"instanceId", "hostName", "name"} {
		if name := get(key); name != "" {
			return name
		}
	}
	return otherwise
}

// element is an XML element.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Elements []element  `xml:",any"`
}

// flattenXML reads a document. Elements that may be repeated are named.
func flattenXML(text string) (flat, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	var root element
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("after the document: %v", err)
	}
	f := flat{}
	f.addXML("", &root)
	return f, nil
}

func (f flat) addXML(path string, e *element) {
	name := e.XMLName.Local
	if e.XMLName.Space != "" {
		name = e.XMLName.Space + ":" + name // the prefix, for none is declared
	}
	path += "/" + name
	if name == "application" || name == "instance" {
		path += "[" + nameOf("", e.child) + "]"
	}
	f[path] = nested
	if len(e.Elements) == 0 {
		f[path] = e.Text
	}
	for _, a := range e.Attrs {
		f[path+"/@"+a.Name.Local] = a.Value
	}
	for i := range e.Elements {
		f.addXML(path, &e.Elements[i])
	}
}

// child is the text of the child with the given name.
func (e *element) child(name string) string {
	for _, c := range e.Elements {
		if c.XMLName.Local == name {
			return c.Text
		}
	}
	return ""
}

// clock makes every time near at, in milliseconds since 1970, the word now.
func (f flat) clock(at time.Time) {
	const near = 10 * time.Minute
	for path, value := range f {
		ms, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 64)
		if err == nil && time.UnixMilli(ms).Sub(at).Abs() < near {
			f[path] = strings.Replace(value, strconv.FormatInt(ms, 10), "now", 1)
		}
	}
}

// difference is a path with what was recorded and what we answer, "-" for what
// is not there.
type difference struct{ path, recorded, ours string }

func (d difference) String() string {
	return d.path + ": " + d.recorded + " → " + d.ours
}

// compare lists the differences. Of what is on one side only, what is inside is
// not listed.
func compare(recorded, ours flat) []difference {
	paths := maps.Clone(recorded)
	maps.Copy(paths, ours)
	var all []difference
	lone := "\x00"
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if rest, inside := strings.CutPrefix(path, lone); inside && (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "[")) {
			continue
		}
		r, inRecorded := recorded[path]
		o, inOurs := ours[path]
		switch {
		case !inOurs:
			all = append(all, difference{path, r, "-"})
			lone = path
		case !inRecorded:
			all = append(all, difference{path, "-", o})
			lone = path
		case r != o:
			all = append(all, difference{path, r, o})
		}
	}
	return all
}

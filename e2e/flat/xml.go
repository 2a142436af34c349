package flat

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// element is an XML element.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Elements []element  `xml:",any"`
}

// XML reads one document. An attribute has the path of its element and "/@name".
func (r Reader) XML(text string) (Document, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	var root element
	if err := d.Decode(&root); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("after the document: %v", err)
	}
	f := Document{}
	r.addXML(f, "", 0, &root, twins{})
	return f, nil
}

func (r Reader) addXML(f Document, path string, place int, e *element, again twins) {
	name := e.XMLName.Local
	if e.XMLName.Space != "" {
		name = e.XMLName.Space + ":" + name // the prefix, for none is declared
	}
	if slices.Contains(r.Repeated, name) {
		name += "[" + r.nameOf(strconv.Itoa(place), e.child) + "]"
	}
	path += "/" + again.name(name)
	f[path] = Nested
	if len(e.Elements) == 0 {
		f[path] = e.Text
	}
	for _, a := range e.Attrs {
		f[path+"/@"+a.Name.Local] = a.Value
	}
	within := twins{}
	for i := range e.Elements {
		r.addXML(f, path, i, &e.Elements[i], within)
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

package codec

import (
	"strconv"

	"github.com/eurekube/eurekube/eureka"
)

// xmlWriter appends elements to dst. Their names are constants; names made of
// data go through appendXMLName first.
type xmlWriter struct {
	dst    []byte
	depth  int  // how many elements are open
	pretty bool // one element a line, two spaces a level
}

// line begins a new line, except before the root of a document.
func (w *xmlWriter) line() {
	if !w.pretty || w.depth == 0 {
		return
	}
	w.newline()
}

// newline begins a line at the current depth.
func (w *xmlWriter) newline() {
	const spaces = "\n                "
	w.dst = append(w.dst, spaces[:1+2*w.depth]...)
}

// open begins an element that holds elements.
func (w *xmlWriter) open(name string) {
	w.openClass(name, "")
}

// openClass begins an element that holds elements and names its Java class.
func (w *xmlWriter) openClass(name, class string) {
	w.line()
	w.dst = append(w.dst, '<')
	w.dst = append(w.dst, name...)
	w.attribute(`class`, class)
	w.dst = append(w.dst, '>')
	w.depth++
}

// attribute writes a constant inside a start tag, or nothing when it is empty.
func (w *xmlWriter) attribute(name, value string) {
	if value == "" {
		return
	}
	w.dst = append(w.dst, ' ')
	w.dst = append(w.dst, name...)
	w.dst = append(w.dst, `="`...)
	w.dst = append(w.dst, value...)
	w.dst = append(w.dst, '"')
}

// close ends an element that holds elements.
func (w *xmlWriter) close(name string) {
	w.depth--
	if w.pretty {
		w.newline()
	}
	w.end(name)
}

// end writes the end tag.
func (w *xmlWriter) end(name string) {
	w.dst = append(w.dst, "</"...)
	w.dst = append(w.dst, name...)
	w.dst = append(w.dst, '>')
}

// start writes the start tag of an element that holds text.
func (w *xmlWriter) start(name string) {
	w.line()
	w.dst = append(w.dst, '<')
	w.dst = append(w.dst, name...)
	w.dst = append(w.dst, '>')
}

// text writes an element that holds text, which may be empty.
func (w *xmlWriter) text(name, value string) {
	w.start(name)
	w.dst = appendXMLText(w.dst, value)
	w.end(name)
}

// optional writes an element that holds text, or nothing when it is empty.
func (w *xmlWriter) optional(name, value string) {
	if value != "" {
		w.text(name, value)
	}
}

// number writes an element that holds a number.
func (w *xmlWriter) number(name string, value int64) {
	w.start(name)
	w.dst = strconv.AppendInt(w.dst, value, 10)
	w.end(name)
}

// port writes a port.
func (w *xmlWriter) port(name string, p eureka.Port) {
	w.line()
	w.dst = append(w.dst, '<')
	w.dst = append(w.dst, name...)
	w.attribute("enabled", boolWord(p.Enabled))
	w.dst = append(w.dst, '>')
	w.dst = strconv.AppendInt(w.dst, int64(p.Number), 10)
	w.end(name)
}

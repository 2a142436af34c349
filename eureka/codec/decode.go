package codec

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/eurekube/eurekube/eureka"
)

// The three kinds of document, each with the name that stands around it.
const (
	instanceName     = "instance"
	applicationName  = "application"
	applicationsName = "applications"
)

// DecodeInstance reads the document of one instance, as clients register with
// it, in f or its compact or full sibling. It fills the defaults of the
// protocol (section 4.2) for what is absent or null, upper-cases the app, and
// skips what it does not know; text after the document is ignored, as upstream
// ignores it. What must not be absent is for registration to judge: text
// fields are then empty, LastDirtyTimestamp is 0, and so is the name of a data
// centre that the body does not mention.
//
// The error is a [*SyntaxError] or, for the first field in upstream's order
// that cannot be read, a [*FieldError]. With a FieldError the instance comes all
// the same, so that registration can tell in upstream's order what else it lacks;
// it is not to be stored.
func DecodeInstance(f Form, body []byte) (*eureka.Instance, error) {
	n, err := read(f, body, instanceName, instanceShape)
	if err != nil {
		return nil, err
	}
	r := fieldReader{upperGroup: !f.isXML()}
	return r.instance(n), r.err
}

// DecodeApplication reads the document of one application like
// [DecodeInstance]. Its name is upper-cased and given to instances that have
// no app; an instance of another app is an error.
func DecodeApplication(f Form, body []byte) (*eureka.Application, error) {
	n, err := read(f, body, applicationName, applicationShape)
	if err != nil {
		return nil, err
	}
	r := fieldReader{upperGroup: !f.isXML()}
	app := r.application(n)
	if r.err != nil {
		return nil, r.err
	}
	return &app, nil
}

// DecodeApplications reads the document of a collection like
// [DecodeApplication]. The version is -1 when the document has none.
func DecodeApplications(f Form, body []byte) (*eureka.Applications, error) {
	n, err := read(f, body, applicationsName, applicationsShape)
	if err != nil {
		return nil, err
	}
	r := fieldReader{upperGroup: !f.isXML()}
	apps := &eureka.Applications{
		VersionsDelta: r.number(n, "versions__delta", -1),
		AppsHashCode:  r.text(n, "apps__hashcode"),
	}
	for _, app := range n.all(applicationName) {
		apps.Applications = append(apps.Applications, r.application(app))
	}
	if r.err != nil {
		return nil, r.err
	}
	return apps, nil
}

// read finds what is called name in body. JSON may leave out the object around
// it, as hand-written clients do; XML has no document without a root.
func read(f Form, body []byte, name string, s *shape) (*node, error) {
	format, scan, around := "JSON", scanJSON, unwrapped
	if f.isXML() {
		format, scan, around = "XML", scanXML, wrapped
	}
	root, err := parse(format, body, scan, around(name, s))
	if err != nil {
		return nil, err
	}
	n := &root // if nothing stands around it
	if root.has(name) || len(root.members) == 0 {
		n = root.member(name)
	}
	if n.kind == nodeObject || n.kind == nodeText && n.isEmpty() {
		return n, nil
	}
	return nil, &SyntaxError{Format: format, Problem: "it holds no " + name}
}

// parse reads body, which must be UTF-8, and keeps what s says of it.
func parse(format string, body []byte, scan func([]byte, *shape) (node, error), s *shape) (node, error) {
	body = bytes.TrimPrefix(body, []byte("\uFEFF"))
	if !utf8.Valid(body) {
		return node{}, &SyntaxError{Format: format, Offset: validPrefix(body), Problem: "it is not UTF-8"}
	}
	return scan(body, s)
}

// scanJSON reads body as JSON.
func scanJSON(body []byte, s *shape) (node, error) {
	scanner := jsonScanner{data: body}
	return scanner.value(s, 0)
}

// scanXML reads body as XML.
func scanXML(body []byte, s *shape) (node, error) {
	scanner := xmlScanner{data: body}
	return scanner.document(s)
}

// validPrefix is how many bytes of body are UTF-8.
func validPrefix(body []byte) int {
	n := 0
	for n < len(body) {
		r, size := utf8.DecodeRune(body[n:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		n += size
	}
	return n
}

// application reads an application.
func (r *fieldReader) application(n *node) eureka.Application {
	if n.kind != nodeObject && !n.isEmpty() {
		r.fail(applicationName, "is no object")
	}
	app := eureka.Application{Name: strings.ToUpper(r.text(n, "name"))}
	for _, value := range n.all(instanceName) {
		i := r.instance(value)
		switch {
		case i.App == "":
			i.App = app.Name
		case i.App != app.Name:
			r.fail("app", quoted(i.App)+" is not the name of its application")
		}
		app.Instances = append(app.Instances, i)
	}
	return app
}

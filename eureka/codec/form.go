package codec

import "github.com/eurekube/eurekube/eureka"

// Form is one of the four ways to write the same registry. The compact ones
// hold what a client needs for calling an instance (protocol sections 4.6
// and 4.8).
type Form uint8

// The forms. Full XML is indented by two spaces, the others are one line; none
// ends in a newline.
const (
	JSON Form = iota
	XML
	JSONCompact
	XMLCompact
)

// Forms is how many forms there are; a Form is an index below it.
const Forms = 4

// isXML reports whether f is one of the XML forms.
func (f Form) isXML() bool { return f == XML || f == XMLCompact }

// ContentType is the media type of a document, without a charset: clients
// compare it as text. The bytes are UTF-8.
func (f Form) ContentType() string {
	if f.isXML() {
		return "application/xml"
	}
	return "application/json"
}

// String names f in logs and metric labels.
func (f Form) String() string {
	return [Forms]string{"json", "xml", "json-compact", "xml-compact"}[f]
}

// AppendInstance appends the document of one instance. A single instance is
// never compact (protocol section 2.3): the compact forms write it in full.
func (f Form) AppendInstance(dst []byte, i *eureka.Instance) []byte {
	if f.isXML() {
		w := xmlWriter{dst: dst, pretty: true}
		w.instance("instance", i)
		return w.dst
	}
	dst = append(dst, `{"instance":`...)
	dst = appendJSONInstance(dst, i)
	return append(dst, '}')
}

// AppendApplication appends the document of one application.
func (f Form) AppendApplication(dst []byte, app *eureka.Application) []byte {
	if f.isXML() {
		w := xmlWriter{dst: dst, pretty: f == XML}
		w.application(app)
		return w.dst
	}
	dst = append(dst, `{"application":`...)
	dst = f.AppendListed(dst, app)
	return append(dst, '}')
}

// AppendApplications appends the document of a collection: the full registry,
// a delta or the answer to a VIP query.
func (f Form) AppendApplications(dst []byte, apps *eureka.Applications) []byte {
	dst = f.AppendHead(dst, apps.VersionsDelta, apps.AppsHashCode)
	for n := range apps.Applications {
		if n > 0 {
			dst = append(dst, f.Separator()...)
		}
		dst = f.AppendListed(dst, &apps.Applications[n])
	}
	return f.AppendTail(dst, apps.VersionsDelta, apps.AppsHashCode)
}

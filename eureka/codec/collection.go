package codec

import (
	"strconv"

	"github.com/eurekube/eurekube/eureka"
)

// AppendHead appends what a collection document opens with. A collection is
// its head, the listed applications with [Form.Separator] between them, and
// its tail; whoever keeps applications encoded can join it without encoding
// them again. Full forms write the version and the hash code in the head,
// compact ones in the tail, so both take them.
func (f Form) AppendHead(dst []byte, versionsDelta int64, appsHashCode string) []byte {
	switch f {
	case JSON:
		dst = append(dst, `{"applications":{`...)
		dst = appendJSONVersion(dst, versionsDelta, appsHashCode)
		return append(dst, `,"application":[`...)
	case JSONCompact:
		return append(dst, `{"applications":{"application":[`...)
	}
	w := xmlWriter{dst: dst, pretty: f == XML}
	w.open("applications")
	if f == XML {
		w.version(versionsDelta, appsHashCode)
	}
	return w.dst
}

// AppendListed appends one application as it stands in a collection, in full
// XML together with its indentation, without a separator.
func (f Form) AppendListed(dst []byte, app *eureka.Application) []byte {
	switch f {
	case JSON:
		return appendJSONApplication(dst, app, appendJSONInstance)
	case JSONCompact:
		return appendJSONApplication(dst, app, appendCompactJSONInstance)
	}
	w := xmlWriter{dst: dst, pretty: f == XML, depth: 1}
	w.application(app)
	return w.dst
}

// Separator stands between two listed applications.
func (f Form) Separator() string {
	if f.isXML() {
		return ""
	}
	return ","
}

// AppendTail appends what closes a collection document. It takes what its
// [Form.AppendHead] was given.
func (f Form) AppendTail(dst []byte, versionsDelta int64, appsHashCode string) []byte {
	switch f {
	case JSON:
		return append(dst, `]}}`...)
	case JSONCompact:
		dst = append(dst, `],`...)
		dst = appendJSONVersion(dst, versionsDelta, appsHashCode)
		return append(dst, `}}`...)
	}
	w := xmlWriter{dst: dst, pretty: f == XML, depth: 1}
	if f == XMLCompact {
		w.version(versionsDelta, appsHashCode)
	}
	w.close("applications")
	return w.dst
}

// The names of the version and the hash code have two underscores in JSON
// too: upstream escapes them as if they were XML names, and clients look for
// them so (field case 16).

// appendJSONVersion appends both as members, without a comma around them.
func appendJSONVersion(dst []byte, versionsDelta int64, appsHashCode string) []byte {
	dst = append(dst, `"versions__delta":"`...)
	dst = strconv.AppendInt(dst, versionsDelta, 10)
	dst = append(dst, `","apps__hashcode":`...)
	return appendJSONString(dst, appsHashCode)
}

// version writes both as elements.
func (w *xmlWriter) version(versionsDelta int64, appsHashCode string) {
	w.number("versions__delta", versionsDelta)
	w.text("apps__hashcode", appsHashCode)
}

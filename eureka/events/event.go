package events

import (
	"strconv"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// The events of a stream beside those that are kinds of changes.
const (
	eventReset = "reset" // forget all; data is the list
	eventPing  = "ping"
)

// appendEvent appends a server-sent event. Data must be one line.
func appendEvent(b []byte, event string, at snapshot.Token, data []byte) []byte {
	b = appendHead(b, event, at)
	b = append(b, data...)
	return append(b, eventEnd...)
}

// appendHead appends an event up to its data.
func appendHead(b []byte, event string, at snapshot.Token) []byte {
	b = append(b, "event: "...)
	b = append(b, event...)
	b = append(b, "\nid: "...)
	b = append(b, at.Epoch...)
	b = append(b, '-')
	b = strconv.AppendInt(b, at.Sequence, 10)
	return append(b, "\ndata: "...)
}

const eventEnd = "\n\n"

// view is what a change is to a stream with filter f: an event and its data, no
// event if it is nothing. Whatever leaves the filter is down and deleted there,
// though others still see it; what enters it is new.
func view(c *snapshot.Change, f *snapshot.Filter) (event string, document func() []byte) {
	had, has := f.Has(c.Before), f.Has(c.Instance)
	switch {
	case had && has, has && c.Before == nil:
		return string(c.Kind), c.Document
	case had:
		return string(snapshot.KindDown), c.Removal
	case !has, c.Instance.ActionType == eureka.ActionDeleted:
		return "", nil
	case c.Instance.Status == eureka.StatusUp:
		return string(snapshot.KindUp), c.Document
	}
	return string(snapshot.KindModified), c.Document
}

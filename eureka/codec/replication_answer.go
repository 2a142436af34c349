package codec

import (
	"strconv"

	"github.com/eurekube/eurekube/eureka"
)

// The Java classes that upstream's XML encoder writes as element names.
const (
	replicationListElement = "com.netflix.eureka.cluster.protocol.ReplicationListResponse"
	replicationItemElement = "com.netflix.eureka.cluster.protocol.ReplicationInstanceResponse"
)

// ReplicationAnswer is the answer to a batch in the making: one result an item,
// in the order of the request, or the sender ignores them all (protocol section
// 4.12). It has no compact form, and instances stand in it without a name of
// their own. It is for one goroutine.
type ReplicationAnswer struct {
	xml   bool
	w     xmlWriter
	first bool
	room  int // for instances, in bytes; below 0 when one did not fit
}

// NewReplicationAnswer returns an answer in form f with room for so many bytes of
// instances: a batch is short, and what it asks about may not be.
func (f Form) NewReplicationAnswer(room int) *ReplicationAnswer {
	a := &ReplicationAnswer{xml: f.isXML(), w: xmlWriter{pretty: true}, first: true, room: room}
	if a.xml {
		a.w.open(replicationListElement)
		a.w.open("responseList")
	} else {
		a.w.dst = append(a.w.dst, `{"responseList":[`...)
	}
	return a
}

// Add appends the result of the next item: the status of the same request made
// alone and, with a 409, the newer copy, else nil. The first copy for which there
// is no room is left out, and so are all after it; peers do without.
func (a *ReplicationAnswer) Add(statusCode int, newer *eureka.Instance) {
	if a.xml {
		a.w.open(replicationItemElement)
		a.w.number("statusCode", int64(statusCode))
		a.entity(newer)
		a.w.close(replicationItemElement)
		return
	}
	if !a.first {
		a.w.dst = append(a.w.dst, ',')
	}
	a.first = false
	a.w.dst = append(a.w.dst, `{"statusCode":`...)
	a.w.dst = strconv.AppendInt(a.w.dst, int64(statusCode), 10)
	a.entity(newer)
	a.w.dst = append(a.w.dst, '}')
}

// entity appends an instance, or nothing if there is no room left. Nobody knows
// how long one is before it is written, so that one may be taken back.
func (a *ReplicationAnswer) entity(inst *eureka.Instance) {
	if inst == nil || a.room < 0 {
		return
	}
	before := len(a.w.dst)
	if a.xml {
		a.w.instance("responseEntity", inst)
	} else {
		a.w.dst = append(a.w.dst, `,"responseEntity":`...)
		a.w.dst = appendJSONInstance(a.w.dst, inst)
	}
	if a.room -= len(a.w.dst) - before; a.room < 0 {
		a.w.dst = a.w.dst[:before]
	}
}

// Document ends the answer and returns it. Nothing may be added afterwards.
func (a *ReplicationAnswer) Document() []byte {
	if a.xml {
		a.w.close("responseList")
		a.w.close(replicationListElement)
		return a.w.dst
	}
	return append(a.w.dst, `]}`...)
}

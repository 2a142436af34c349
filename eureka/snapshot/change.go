package snapshot

import (
	"bytes"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// Kind is what a change means to those who call instances.
type Kind string

// The kinds, by what the snapshot before listed. An instance that stays in the
// list but is not UP any more is down: nobody is to call it.
const (
	KindUp       Kind = "up"       // it is UP, and was not or was not listed
	KindDown     Kind = "down"     // it left the list, or was UP and is not
	KindModified Kind = "modified" // everything else
)

// Kinds are all kinds.
var Kinds = [...]Kind{KindUp, KindDown, KindModified}

// Change is what happened to one instance from one snapshot to the next. What came
// and went between two of them, unseen by any reader, is none. Any number of
// goroutines may read a change and the instances in it; none may edit them.
type Change struct {
	// Sequence counts the changes of this server since its start, from 1, without
	// gaps.
	Sequence int64
	// At is when the change was published.
	At time.Time
	// Kind sums Before and Instance up.
	Kind Kind
	// Instance is the instance as in the delta: its ActionType is DELETED if it
	// left the list.
	Instance *eureka.Instance
	// Before is the instance as the snapshot before listed it, nil if it did not.
	Before *eureka.Instance
	// Cause is why, as far as the latest of several changes goes.
	Cause registry.Cause

	document once[[]byte]
	removal  once[[]byte]
}

// Document is the answer of GET apps/{app}/{id} in JSON, in one line, with the
// action type of the delta. It is encoded for its first reader and shared by all.
func (c *Change) Document() []byte {
	return c.document.get(func() []byte { return instanceDocument(c.Instance) })
}

// Removal is Document with the action type DELETED: what is told to those who do
// not follow the instance any more though it is still listed, because its VIP
// address is another one.
func (c *Change) Removal() []byte {
	if c.Instance.ActionType == eureka.ActionDeleted {
		return c.Document()
	}
	return c.removal.get(func() []byte {
		gone := *c.Instance
		gone.ActionType = eureka.ActionDeleted
		return instanceDocument(&gone)
	})
}

func instanceDocument(inst *eureka.Instance) []byte {
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	*buffer = codec.JSON.AppendInstance((*buffer)[:0], inst)
	return bytes.Clone(*buffer)
}

// changesOf appends what differs of one application from before, its last listed
// state, nil for none. The delta's order is kept: those that went come last.
func changesOf(changes []*Change, before *listed, app registry.AppChange) []*Change {
	for i, inst := range app.Recent {
		var was *eureka.Instance
		if before != nil {
			was = before.instance(inst.ID)
		}
		deleted := inst.ActionType == eureka.ActionDeleted
		if was == inst || was == nil && deleted {
			continue // nothing new, or never seen
		}
		changes = append(changes, &Change{Kind: kindOf(was, inst), Instance: inst, Before: was, Cause: app.Causes[i]})
	}
	return changes
}

func kindOf(before, now *eureka.Instance) Kind {
	wasUp := before != nil && before.Status == eureka.StatusUp
	isUp := now.Status == eureka.StatusUp && now.ActionType != eureka.ActionDeleted
	switch {
	case isUp && !wasUp:
		return KindUp
	case now.ActionType == eureka.ActionDeleted, wasUp && !isUp:
		return KindDown
	}
	return KindModified
}

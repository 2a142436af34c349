package codec

import (
	"strings"

	"github.com/eurekube/eurekube/eureka"
)

// ReplicationAction says what one item of a batch asks for.
type ReplicationAction string

// The actions of a batch (protocol section 4.12). The words are exact: every
// peer writes the names of one Java enum.
const (
	ReplicateRegister             ReplicationAction = "Register"
	ReplicateHeartbeat            ReplicationAction = "Heartbeat"
	ReplicateCancel               ReplicationAction = "Cancel"
	ReplicateStatusUpdate         ReplicationAction = "StatusUpdate"
	ReplicateDeleteStatusOverride ReplicationAction = "DeleteStatusOverride"
)

// ReplicationItem is one write that a peer passes on.
type ReplicationItem struct {
	Action ReplicationAction
	// App is in upper case and, like ID, names the instance that the item is
	// about. ID may be empty in a registration, whose instance has its own.
	App, ID string
	// LastDirtyTimestamp is that of the sender's copy, in milliseconds since
	// 1970; it counts only if HasLastDirtyTimestamp is set.
	LastDirtyTimestamp    int64
	HasLastDirtyTimestamp bool
	// Status is the sender's status of the instance, empty when absent; a status
	// update always has one.
	Status eureka.Status
	// OverriddenStatus is the override that the sender knows, empty when absent.
	OverriddenStatus eureka.Status
	// Instance is there in registrations alone. As with [DecodeInstance], what it
	// must not lack is for registration to judge.
	Instance *eureka.Instance
	// Err is not nil when the item cannot be carried out: a [*FieldError] that
	// names what is missing or malformed. The other items of the batch stand.
	Err error
}

// replicationListName is the member that holds the items.
const replicationListName = "replicationList"

// maxReplicationItems bounds a batch at four times what peers send: an empty item
// takes two bytes of a body and a hundred of memory, and each may be answered
// with a whole instance.
const maxReplicationItems = 1000

// replicationShape keeps what items are made of. Peers send instances bare, and
// one with its name around it is read as well.
var replicationShape = &shape{members: []shapeMember{{replicationListName, &shape{
	list: true,
	most: maxReplicationItems,
	members: append(texts("appName", "id", "action", "lastDirtyTimestamp", "status", "overriddenStatus"),
		shapeMember{"instanceInfo", unwrapped(instanceName, instanceShape)}),
}}}}

// DecodeReplication reads a batch, which is always JSON (protocol section 4.12):
// one result an item, in order. A batch that cannot be read as a whole is a
// [*SyntaxError], and so is one of more than 1,000 items; peers send at most
// 250. One without the list is a [*FieldError] that names it.
func DecodeReplication(body []byte) ([]ReplicationItem, error) {
	root, err := parse("JSON", body, scanJSON, replicationShape)
	if err != nil {
		return nil, err
	}
	list := root.member(replicationListName)
	switch {
	case root.kind == nodeObject && list.kind == nodeNull:
		return nil, &FieldError{Field: replicationListName}
	case list.kind != nodeList:
		return nil, &SyntaxError{Format: "JSON", Problem: "it holds no list " + replicationListName}
	}
	items := make([]ReplicationItem, len(list.members))
	for i := range list.members {
		r := fieldReader{upperGroup: true}
		items[i] = r.replicationItem(&list.members[i].node)
		items[i].Err = r.err
	}
	return items, nil
}

// replicationItem reads one item. Of two faults the one that makes the other
// meaningless is told.
func (r *fieldReader) replicationItem(n *node) ReplicationItem {
	if n.kind != nodeObject {
		r.fail("replicationList", "an item is no object")
		return ReplicationItem{}
	}
	item := ReplicationItem{
		Action:           r.action(n),
		App:              strings.ToUpper(r.text(n, "appName")),
		ID:               r.text(n, "id"),
		Status:           r.status(n.member("status"), "status", ""),
		OverriddenStatus: r.status(n.member("overriddenStatus"), "overriddenStatus", ""),
	}
	if stamp := n.member("lastDirtyTimestamp"); !stamp.isEmpty() {
		item.LastDirtyTimestamp = r.numberOf(stamp, "lastDirtyTimestamp", 0)
		item.HasLastDirtyTimestamp = true
	}
	if item.App == "" {
		r.fail("appName", "")
	}
	switch item.Action {
	case ReplicateRegister:
		item.Instance = r.replicatedInstance(n.member("instanceInfo"))
		return item
	case ReplicateStatusUpdate:
		if item.Status == "" {
			r.fail("status", "")
		}
	}
	if item.ID == "" {
		r.fail("id", "")
	}
	return item
}

// action reads the action.
func (r *fieldReader) action(n *node) ReplicationAction {
	word := r.text(n, "action")
	switch action := ReplicationAction(word); action {
	case ReplicateRegister, ReplicateHeartbeat, ReplicateCancel, ReplicateStatusUpdate, ReplicateDeleteStatusOverride:
		return action
	case "":
		r.fail("action", "")
	default:
		r.fail("action", quoted(word)+" is no action")
	}
	return ""
}

// replicatedInstance reads the instance of a registration.
func (r *fieldReader) replicatedInstance(n *node) *eureka.Instance {
	if n.has(instanceName) {
		n = n.member(instanceName)
	}
	if n.isEmpty() {
		r.fail("instanceInfo", "")
		return nil
	}
	return r.instance(n)
}

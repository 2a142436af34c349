package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/lease"
)

// replicate takes a batch from a peer (protocol section 3.15). Every item is
// carried out by itself, in order; the answer has as many results in the same
// order, or the peer would ignore them all.
func (a *API) replicate(w *response, r *http.Request) error {
	body, err := a.readBody(w, r)
	if err != nil {
		return err
	}
	switch form, err := bodyForm(r.Header, body); {
	case err != nil:
		return err
	case form != codec.JSON:
		return &refusal{code: http.StatusUnsupportedMediaType, reason: "a batch is JSON"}
	}
	items, err := codec.DecodeReplication(body)
	if err != nil {
		return badRequest(err.Error())
	}
	results := make([]codec.ReplicationResult, len(items))
	for i := range items {
		results[i] = a.result(r, &items[i])
	}
	form := replicationForm(r.Header)
	w.document(http.StatusOK, form, form.AppendReplicationResults(nil, results))
	return nil
}

// result carries one item out and says what came of it.
func (a *API) result(r *http.Request, item *codec.ReplicationItem) codec.ReplicationResult {
	err := a.carryOut(r, item)
	if err == nil {
		return codec.ReplicationResult{StatusCode: http.StatusOK}
	}
	result := codec.ReplicationResult{StatusCode: statusOf(err)}
	var conflict *lease.ConflictError
	if errors.As(err, &conflict) {
		result.Instance = a.entity(conflict)
	}
	if result.StatusCode == http.StatusInternalServerError {
		logFailure(r, err)
	}
	return result
}

// carryOut does what one item asks for, as the same request made alone would.
func (a *API) carryOut(r *http.Request, item *codec.ReplicationItem) error {
	if item.Err != nil {
		return badRequest(item.Err.Error())
	}
	leases, dirty := a.config.Leases, lease.Dirty{Timestamp: item.LastDirtyTimestamp, Given: item.HasLastDirtyTimestamp}
	switch item.Action {
	case codec.ReplicateRegister:
		if err := complete(item.Instance, item.App, nil); err != nil {
			return err
		}
		return leases.Register(r.Context(), item.Instance, sender(r), true)
	case codec.ReplicateHeartbeat:
		return leases.Renew(item.App, item.ID, lease.Renewal{
			LastDirty: item.LastDirtyTimestamp, HasLastDirty: item.HasLastDirtyTimestamp, Replica: true, OverriddenStatus: item.OverriddenStatus,
		})
	case codec.ReplicateCancel:
		return leases.Cancel(item.App, item.ID, true)
	case codec.ReplicateStatusUpdate:
		return leases.Override(item.App, item.ID, item.Status, dirty, true)
	default: // codec.ReplicateDeleteStatusOverride: the decoder lets no other word through
		return leases.RemoveOverride(item.App, item.ID, item.Status, dirty, true)
	}
}

// replicationForm is the form of the answer to a batch: JSON, which every peer
// asks for, unless the client takes XML alone.
func replicationForm(h http.Header) codec.Form {
	accept := strings.ToLower(strings.Join(h.Values("Accept"), ","))
	if strings.Contains(accept, "xml") && !strings.Contains(accept, "json") && !strings.Contains(accept, "*/*") {
		return codec.XML
	}
	return codec.JSON
}

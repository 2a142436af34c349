package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/lease"
)

// replicate takes a batch from a peer (protocol section 3.15). Every item is
// carried out by itself, in order; the answer has as many results in the same
// order, or the peer would ignore them all.
func (a *API) replicate(w *response, r *http.Request) error {
	form, body, err := a.readDocument(w, r)
	if err != nil {
		return err
	}
	if form != codec.JSON {
		return &refusal{code: http.StatusUnsupportedMediaType, reason: "a batch is JSON"}
	}
	items, err := codec.DecodeReplication(body)
	var missing *codec.FieldError
	switch {
	case errors.As(err, &missing):
		return badRequest(missing.Field + " is missing")
	case err != nil:
		return badRequest(err.Error())
	}
	form = replicationForm(r.Header)
	answer := form.NewReplicationAnswer(int(entitiesPerBody * a.config.MaxBody))
	r = r.WithContext(a.by(r, true))
	for i := range items {
		answer.Add(a.result(r, &items[i]))
	}
	w.document(http.StatusOK, form, answer.Document())
	return nil
}

// entitiesPerBody bounds the instances in an answer by the longest body, in which
// they may have come: seventy bytes of a batch can ask for one of any length.
const entitiesPerBody = 4

// result carries one item out and says what came of it; with a 409 goes what the
// peer is to adopt.
func (a *API) result(r *http.Request, item *codec.ReplicationItem) (statusCode int, newer *eureka.Instance) {
	err := a.carryOut(r, item)
	if err == nil {
		return http.StatusOK, nil
	}
	var conflict *lease.ConflictError
	if errors.As(err, &conflict) {
		newer = a.entity(conflict)
	}
	if statusCode = statusOf(err); statusCode == http.StatusInternalServerError {
		logFailure(r, err)
	}
	return statusCode, newer
}

// carryOut does what one item asks for, as the same request made alone would.
func (a *API) carryOut(r *http.Request, item *codec.ReplicationItem) error {
	if item.Err != nil {
		return badRequest(item.Err.Error())
	}
	if item.Action == codec.ReplicateRegister {
		if err := complete(item.Instance, item.App, nil); err != nil {
			return err
		}
		return a.config.Leases.Register(r.Context(), item.Instance, sender(r), a.knowsWriters())
	}
	permission := a.mayWrite(r, item.App, item.ID)
	leases, dirty := a.config.Leases, lease.Dirty{Timestamp: item.LastDirtyTimestamp, Given: item.HasLastDirtyTimestamp}
	switch {
	case item.Action == codec.ReplicateHeartbeat:
		renewal := lease.Renewal{LastDirty: item.LastDirtyTimestamp, HasLastDirty: item.HasLastDirtyTimestamp, Replica: true}
		if permission == nil {
			renewal.OverriddenStatus = item.OverriddenStatus
		}
		return leases.Renew(r.Context(), item.App, item.ID, renewal)
	case permission != nil:
		return permission
	case item.Action == codec.ReplicateCancel:
		return leases.Cancel(r.Context(), item.App, item.ID, true)
	case item.Action == codec.ReplicateStatusUpdate:
		return leases.Override(r.Context(), item.App, item.ID, item.Status, dirty, true)
	default: // codec.ReplicateDeleteStatusOverride: the decoder lets no other word through
		return leases.RemoveOverride(r.Context(), item.App, item.ID, item.Status, dirty, true)
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

package api

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/lease"
)

// Bodies of the requests here mean nothing: the Jersey clients send {} because
// they must send something. What the server does not read, net/http drains
// within a bound, so that the connection lives on.

// renew takes a heartbeat (protocol section 3.7). Its status parameter says
// nothing (field case 89).
func (a *API) renew(w *response, r *http.Request) error {
	app, id := target(r)
	renewal := lease.Renewal{Replica: isReplica(r)}
	var err error
	renewal.LastDirty, renewal.HasLastDirty, err = timestamp(r.URL.RawQuery, lastDirty)
	if err == nil && renewal.Replica && a.mayWrite(r, app, id) == nil {
		renewal.OverriddenStatus, err = status(r.URL.RawQuery, "overriddenstatus")
	}
	if err != nil {
		return a.refuseRenewal(app, id, err)
	}
	ctx := r.Context()
	if renewal.OverriddenStatus != "" {
		ctx = a.by(r, true)
	}
	if err := a.config.Leases.Renew(ctx, app, id, renewal); err != nil {
		return err
	}
	w.WriteHeader(http.StatusOK)
	return nil
}

// cancel ends an instance (protocol section 3.8). It answers when no read lists
// it any more (field case 51).
func (a *API) cancel(w *response, r *http.Request) error {
	app, id := target(r)
	return a.change(w, r, a.config.Leases.Cancel(a.by(r, isReplica(r)), app, id, isReplica(r)))
}

// override sets the status of an instance over its own (protocol section 3.9).
func (a *API) override(w *response, r *http.Request) error {
	app, id := target(r)
	value, dirty, err := readOverride(r)
	if err == nil && value == "" {
		err = badRequest("the query parameter value is missing, as in …/status?value=DOWN")
	}
	if err != nil {
		return a.refuse(app, id, err)
	}
	return a.change(w, r, a.config.Leases.Override(a.by(r, isReplica(r)), app, id, value, dirty, isReplica(r)))
}

// removeOverride takes back what override set, with the status that holds until
// the instance reports again (protocol section 3.10, field case 90).
func (a *API) removeOverride(w *response, r *http.Request) error {
	app, id := target(r)
	fallback, dirty, err := readOverride(r)
	if err != nil {
		return a.refuse(app, id, err)
	}
	return a.change(w, r, a.config.Leases.RemoveOverride(a.by(r, isReplica(r)), app, id, fallback, dirty, isReplica(r)))
}

// updateMetadata adds every parameter to the metadata (protocol section 3.11).
// Of a repeated one the first counts; keys that metadata cannot have are
// dropped, as from a registration.
func (a *API) updateMetadata(w *response, r *http.Request) error {
	app, id := target(r)
	metadata := make(map[string]string)
	for p := range parameters(r.URL.RawQuery) {
		if p.malformed || !utf8.ValidString(p.name) || !utf8.ValidString(p.value) {
			return a.refuse(app, id, badRequest("a parameter is not text in UTF-8 and percent-encoding"))
		}
		if _, repeated := metadata[p.name]; !repeated && codec.IsMetadataKey(p.name) {
			metadata[p.name] = p.value
		}
	}
	return a.change(w, r, a.config.Leases.UpdateMetadata(app, id, metadata))
}

// readOverride reads the parameters of a status request.
func readOverride(r *http.Request) (value eureka.Status, dirty lease.Dirty, err error) {
	query := r.URL.RawQuery
	if value, err = status(query, "value"); err != nil {
		return "", dirty, err
	}
	dirty.Timestamp, dirty.Given, err = timestamp(query, lastDirty)
	return value, dirty, err
}

const lastDirty = "lastDirtyTimestamp"

// target is the app, in upper case, and the id that a request is about. What the
// router did not see is taken apart again: to carry it in the request would take a
// map, most of what a heartbeat allocates here.
func target(r *http.Request) (app, id string) {
	if app, id, ok := ofInstance(r.URL); ok {
		return strings.ToUpper(app), id
	}
	return strings.ToUpper(variable(r, "app")), variable(r, "id")
}

// refuse answers a malformed request about an instance: 404 if there is none, so
// that a client that writes its parameters wrong registers all the same.
func (a *API) refuse(app, id string, err error) error {
	if _, known := a.config.Registry.Lookup(app, id); !known {
		return errNotFound
	}
	return err
}

// refuseRenewal is refuse for a heartbeat. An instance whose status is UNKNOWN has
// to register as well, whatever its heartbeats carry.
func (a *API) refuseRenewal(app, id string, err error) error {
	record, _ := a.config.Registry.Lookup(app, id)
	if record.PodKey == "" && record.Listed != nil && record.Listed.Status == eureka.StatusUnknown {
		return errNotFound
	}
	return a.refuse(app, id, err)
}

// change answers a write that clients may look for at once: when it can be seen
// in every read. Peers do not wait, for they give up after 200 milliseconds.
func (a *API) change(w *response, r *http.Request, err error) error {
	if err != nil {
		return err
	}
	if a.config.Shown != nil && !isReplica(r) {
		a.config.Shown(r.Context())
	}
	w.WriteHeader(http.StatusOK)
	return nil
}

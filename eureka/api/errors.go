package api

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/lease"
)

// statusError is an error that the client is told of by a status and no body.
// The Jersey clients read any body of a heartbeat's answer as an instance and,
// when they cannot, never register again (protocol section 8.1, field case 25);
// the Spring ones decode the bodies of refused reads.
type statusError int

func (e statusError) Error() string { return http.StatusText(int(e)) }

const (
	errNotFound         = statusError(http.StatusNotFound)
	errMethodNotAllowed = statusError(http.StatusMethodNotAllowed)
	errNotReady         = statusError(http.StatusServiceUnavailable)
)

// refusal is an error that is the sender's to mend, told in one line. No client
// goes on after one of these statuses, so that a body cannot mislead it.
type refusal struct {
	code   int
	reason string
	// asNegotiated labels the reason with the type that the client asked for, as
	// upstream labels its own: it is text/plain otherwise.
	asNegotiated bool
}

func (e *refusal) Error() string { return e.reason }

// badRequest refuses what the sender wrote.
func badRequest(reason string) error {
	return &refusal{code: http.StatusBadRequest, reason: reason}
}

// statusOf is the status that tells a client of err.
func statusOf(err error) int {
	var empty statusError
	var refused *refusal
	var forbidden *lease.ForbiddenError
	var tooLarge *lease.TooLargeError
	var conflict *lease.ConflictError
	switch {
	case errors.As(err, &empty):
		return int(empty)
	case errors.As(err, &refused):
		return refused.code
	case errors.Is(err, lease.ErrNotFound):
		return http.StatusNotFound
	case errors.As(err, &forbidden):
		return http.StatusForbidden
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &conflict):
		return http.StatusConflict
	}
	return http.StatusInternalServerError
}

// fail turns the error of a handler into an answer.
func (a *API) fail(w *response, r *http.Request, err error) {
	code := statusOf(err)
	var refused *refusal
	var forbidden *lease.ForbiddenError
	var tooLarge *lease.TooLargeError
	var conflict *lease.ConflictError
	switch {
	case errors.As(err, &refused):
		contentType := plainText
		if refused.asNegotiated {
			contentType = instanceForm(r.Header).ContentType()
		}
		w.line(code, contentType, refused.reason)
	case errors.As(err, &forbidden):
		w.line(code, plainText, forbidden.Reason)
	case errors.As(err, &tooLarge):
		w.line(code, plainText, tooLarge.Error())
	case errors.As(err, &conflict):
		form := instanceForm(r.Header)
		w.document(code, form, form.AppendInstance(nil, a.entity(conflict)))
	default:
		if code == http.StatusInternalServerError {
			logFailure(r, err)
		}
		w.WriteHeader(code)
	}
}

// entity is the instance that a peer is to adopt, with the latest action as reads
// show it.
func (a *API) entity(conflict *lease.ConflictError) *eureka.Instance {
	inst := conflict.Instance // ours to change
	if record, _ := a.config.Registry.Lookup(inst.App, inst.ID); record.Listed != nil {
		inst.ActionType = record.Listed.ActionType
	}
	return inst
}

// logFailure tells of a fault that is ours.
func logFailure(r *http.Request, err error) {
	klog.FromContext(r.Context()).Error(err, "Request failed", "method", r.Method, "path", r.URL.Path)
}

const plainText = "text/plain; charset=utf-8"

// line answers with one line of text, whatever stands in it. It ends as lines do: it
// is read in terminals.
func (w *response) line(code int, contentType, text string) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text) + "\n"
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	h.Set("X-Content-Type-Options", "nosniff") // the text may quote what a stranger sent
	w.WriteHeader(code)
	_, _ = w.Write([]byte(text)) // as in body
}

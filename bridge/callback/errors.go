package callback

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/eureka/lease"
)

// status is an error that says all by its number.
type status int

func (s status) Error() string { return http.StatusText(int(s)) }

// refusal is an error that the sender is told of in one line.
type refusal struct {
	code   int
	reason string
}

func (e *refusal) Error() string { return e.reason }

// badRequest refuses what the sender wrote.
func badRequest(err error) error { return &refusal{http.StatusBadRequest, err.Error()} }

// answer tells the sender of err. What is nobody's fault but ours is logged.
func answer(w http.ResponseWriter, r *http.Request, err error) {
	var bare status
	var refused *refusal
	var forbidden *lease.ForbiddenError
	switch {
	case errors.As(err, &bare):
		w.WriteHeader(int(bare))
	case errors.As(err, &refused):
		line(w, refused.code, refused.reason)
	case errors.As(err, &forbidden):
		line(w, http.StatusForbidden, forbidden.Reason)
	case errors.Is(err, errFull):
		line(w, http.StatusServiceUnavailable, err.Error())
	case errors.Is(err, errNotRunning):
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		klog.FromContext(r.Context()).Error(err, "Request failed", "method", r.Method, "path", r.URL.Path)
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// line answers with one line of text, which may quote what a stranger sent.
func line(w http.ResponseWriter, code int, text string) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, text+"\n") // whoever does not read it has left
}

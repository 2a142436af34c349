package telemetry

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
)

// JSON returns a handler that answers with what get makes of the query, as
// indented JSON. Each parameter has one value. A query that cannot be read, one
// that gives a parameter twice, and an error of get are the caller's fault: 400
// with the reason as text. An [Unavailable] is ours: 503.
func JSON(get func(query url.Values) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		answer, err := answerTo(r.URL.RawQuery, get)
		if err != nil {
			code := http.StatusBadRequest
			if _, ours := errors.AsType[Unavailable](err); ours {
				code = http.StatusServiceUnavailable
			}
			http.Error(w, err.Error(), code)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false) // people read it in a terminal
		enc.SetIndent("", "  ")
		_ = enc.Encode(answer) // the client is gone, or get's type is at fault and a test sees it
	})
}

// Unavailable says why there is no answer yet to a query that is in order.
type Unavailable struct{ Reason error }

// Error is the reason.
func (u Unavailable) Error() string { return u.Reason.Error() }

// Unwrap returns the reason.
func (u Unavailable) Unwrap() error { return u.Reason }

// answerTo does not let get see half of what was asked: a part of the query that
// is left out makes the answer one to another question.
func answerTo(rawQuery string, get func(query url.Values) (any, error)) (any, error) {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, fmt.Errorf("read query: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if n := len(query[name]); n > 1 {
			return nil, fmt.Errorf("parameter %q is given %d times", name, n)
		}
	}
	return get(query)
}

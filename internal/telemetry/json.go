package telemetry

import (
	"encoding/json"
	"net/http"
	"net/url"
)

// JSON returns a handler that answers with what get makes of the query, as
// indented JSON. An error of get is the caller's fault: 400 with its text.
func JSON(get func(query url.Values) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		answer, err := get(r.URL.Query())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false) // people read it in a terminal
		enc.SetIndent("", "  ")
		_ = enc.Encode(answer) // the client is gone, or get's type is at fault and a test sees it
	})
}

package api

import "net/http"

// Mount is the path of another registry's protocol on the port of the API, which
// lets in whom it lets in to its own routes and counts and logs what is asked.
type Mount struct {
	// Path is fixed, without variables and without a slash at its end.
	Path string
	// Get answers GET under the rules of a read: 503 before the first snapshot,
	// and with AuthReads only for users.
	Get http.HandlerFunc
	// Post answers POST under those of a write: only for users where there are
	// any, never for a web page of another origin, and 405 without leases.
	Post http.HandlerFunc
}

// mounted picks the method. There are no others: a protocol that is served here
// is served as its clients know it.
func (a *API) mounted(m Mount) handler {
	get, post, allow := a.read(handed(m.Get)), a.write(a.signed(handed(m.Post))), "GET, POST"
	if a.config.Leases == nil {
		post, allow = nil, "GET"
	}
	return func(w *response, r *http.Request) error {
		switch {
		case r.Method == http.MethodGet:
			return get(w, r)
		case r.Method == http.MethodPost && post != nil:
			return post(w, r)
		}
		w.Header().Set("Allow", allow)
		return errMethodNotAllowed
	}
}

// signed is h with the context of a write.
func (a *API) signed(h handler) handler {
	return func(w *response, r *http.Request) error {
		return h(w, r.WithContext(a.by(r, false)))
	}
}

// handed leaves the whole answer to h.
func handed(h http.HandlerFunc) handler {
	return func(w *response, r *http.Request) error {
		h(w, r)
		return nil
	}
}

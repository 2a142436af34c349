package api

import "net/http"

// authorized is h for those who show the credentials of a user, as Spring's
// clients take them from the service URL. Anybody else gets a 401 without a
// body: the Jersey clients would read one as an instance (protocol section 8.1).
// Nothing of a failure is logged, since people mistake fields; the requests'
// metric counts it.
func (a *API) authorized(h handler) handler {
	if a.config.Users == nil {
		return h
	}
	return func(w *response, r *http.Request) error {
		user, password, shown := r.BasicAuth()
		if !shown || !a.config.Users.Verify(r.Context(), user, password) {
			w.Header().Set("WWW-Authenticate", `Basic realm="eureka", charset="UTF-8"`)
			return errUnauthorized
		}
		return h(w, r)
	}
}

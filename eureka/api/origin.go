package api

import "net/http"

// errOtherOrigin tells a browser nothing new, but whoever looks for the reason why a
// page of their own cannot write.
var errOtherOrigin = &refusal{code: http.StatusForbidden, reason: "a web page of another origin may not write; Sec-Fetch-Site or Origin says that it is one"}

// write is h for whoever may write: users, where there are any, and no web page of
// another origin. Browsers send some requests for any page without asking first,
// with the credentials that they remember, and to servers that only they reach. A
// registration without Content-Type is one of these. Origins are judged before
// credentials, so that no page makes a browser ask for a password.
func (a *API) write(h handler) handler {
	h = a.authorized(h)
	return func(w *response, r *http.Request) error {
		if a.origins.Check(r) != nil {
			return errOtherOrigin
		}
		return h(w, r)
	}
}

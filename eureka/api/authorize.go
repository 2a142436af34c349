package api

import (
	"context"
	"net/http"
	"sync"
)

// authorized is h for those who show the credentials of a user, as Spring's
// clients take them from the service URL. Anybody else gets a status without a
// body: the Jersey clients would read one as an instance (protocol section 8.1).
func (a *API) authorized(h handler) handler {
	if a.config.Users == nil {
		return h
	}
	return func(w *response, r *http.Request) error {
		if err := a.judge(w, r); err != nil {
			return err
		}
		return h(w, r)
	}
}

// judge refuses who does not show the credentials of a user, if there are users.
func (a *API) judge(w *response, r *http.Request) error {
	if status := a.config.Users.Judge(w.Header(), r); status != http.StatusOK {
		return statusError(status)
	}
	w.judged = a.config.Users != nil
	return nil
}

// lasting is r for an answer that may take long: its context ends also when whoever
// asked may not read any more. The caller calls end when it has answered.
func (a *API) lasting(r *http.Request) (lasting *http.Request, end func()) {
	if a.config.Users == nil || !a.config.AuthReads {
		return r, func() {}
	}
	ctx, cancel := context.WithCancel(r.Context())
	var watching sync.WaitGroup
	watching.Go(func() {
		if a.config.Users.Lapsed(ctx, r) {
			cancel()
		}
	})
	return r.WithContext(ctx), func() {
		cancel()
		watching.Wait()
	}
}

// permitted is h for those who may write to the instance that the path names.
func (a *API) permitted(h handler) handler {
	return func(w *response, r *http.Request) error {
		app, id := target(r)
		if err := a.mayWrite(r, app, id); err != nil {
			return err
		}
		return h(w, r)
	}
}

// mayWrite refuses who may not write to an instance: where names belong to pods,
// all but its app's pods and the users.
func (a *API) mayWrite(r *http.Request, app, id string) error {
	return a.config.Leases.MayWrite(app, id, sender(r), a.knowsWriters())
}

// knowsWriters reports whether every write that reaches a handler comes from a
// user. Only then is it believed who says that it is a peer.
func (a *API) knowsWriters() bool { return a.config.Users != nil }

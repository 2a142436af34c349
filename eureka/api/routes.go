package api

import (
	"net/http"
	"slices"
	"strings"
)

// resource is one path of the protocol (section 3.1) and what its methods do.
type resource struct {
	path    string
	methods map[string]handler
}

// handler answers one request. What it returns as an error becomes the status
// and body of the answer in one place, and nothing may be written before.
type handler func(w *response, r *http.Request) error

// instancePath is the path of a single instance.
const instancePath = "/apps/{app}/{id}"

// resources is the table of routes. Without leases there is nothing to write to,
// and the write methods are not there.
func (a *API) resources() []resource {
	type methods = map[string]handler
	all := []resource{
		// The router tries them in order. The first of these and those without
		// variables it sees in odd spellings only: see API.ServeHTTP.
		{instancePath, methods{http.MethodGet: a.getInstance, http.MethodPut: a.renew, http.MethodDelete: a.permitted(a.cancel)}},
		{"/apps/delta", methods{http.MethodGet: a.getDelta}},
		{"/apps", methods{http.MethodGet: a.getApps}},
		{"/apps/{app}", methods{http.MethodGet: a.getApplication, http.MethodPost: a.register}},
		{"/apps/{app}/{id}/status", methods{http.MethodPut: a.permitted(a.override), http.MethodDelete: a.permitted(a.removeOverride)}},
		{"/apps/{app}/{id}/metadata", methods{http.MethodPut: a.permitted(a.updateMetadata)}},
		{"/instances/{id}", methods{http.MethodGet: a.getInstanceByID}},
		{"/vips/{vip}", methods{http.MethodGet: a.getVIP}},
		{"/svips/{vip}", methods{http.MethodGet: a.getSecureVIP}},
		{"/status", methods{http.MethodGet: a.getStatus}},
		{"/peerreplication/batch", methods{http.MethodPost: a.replicate}},
	}
	if a.config.Stream != nil {
		all = append(all, resource{"/stream", methods{http.MethodGet: a.getStream}})
	}
	for _, res := range all {
		for method, h := range res.methods {
			switch {
			case method == http.MethodGet:
				res.methods[method] = a.read(h)
			case a.config.Leases == nil:
				delete(res.methods, method)
			default:
				res.methods[method] = a.write(h)
			}
		}
	}
	return all
}

// read is h as a read: for everybody unless reads are closed too, and answered
// only when there is something to read.
func (a *API) read(h handler) handler {
	return a.toReaders(a.whenReady(h))
}

// toReaders is h for everybody, unless reads are closed too.
func (a *API) toReaders(h handler) handler {
	if a.config.AuthReads {
		return a.authorized(h)
	}
	return h
}

// serve picks the method. HEAD is GET, whose body net/http drops.
func (res resource) serve(w *response, r *http.Request) error {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if h, ok := res.methods[method]; ok {
		return h(w, r)
	}
	w.Header().Set("Allow", res.allow())
	if method == http.MethodOptions {
		w.WriteHeader(http.StatusOK)
		return nil
	}
	return errMethodNotAllowed
}

// allow lists the methods of the resource.
func (res resource) allow() string {
	allowed := []string{http.MethodOptions}
	for m := range res.methods {
		allowed = append(allowed, m)
		if m == http.MethodGet {
			allowed = append(allowed, http.MethodHead)
		}
	}
	slices.Sort(allowed)
	return strings.Join(allowed, ", ")
}

// whenReady refuses reads until the first snapshot: an empty list would make
// clients forget what they know (field case 65).
func (a *API) whenReady(h handler) handler {
	return func(w *response, r *http.Request) error {
		if a.config.Snapshot() == nil {
			return errNotReady
		}
		return h(w, r)
	}
}

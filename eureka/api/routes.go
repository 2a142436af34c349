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

// resources is the table of routes. Paths without methods are those of the write
// API, which this server does not take yet.
func (a *API) resources() []resource {
	get := func(h handler) map[string]handler {
		return map[string]handler{http.MethodGet: a.whenReady(h)}
	}
	return []resource{
		{"/apps/delta", get(a.getDelta)}, // the most frequent read first
		{"/apps", get(a.getApps)},
		{"/apps/{app}", get(a.getApplication)},
		{"/apps/{app}/{id}", get(a.getInstance)},
		{"/apps/{app}/{id}/status", nil},
		{"/apps/{app}/{id}/metadata", nil},
		{"/instances/{id}", get(a.getInstanceByID)},
		{"/vips/{vip}", get(a.getVIP)},
		{"/svips/{vip}", get(a.getSecureVIP)},
		{"/status", get(a.getStatus)},
		{"/peerreplication/batch", nil},
	}
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

// Package httpserver runs an http.Handler the way a server inside a cluster
// has to: it listens before it serves, so that a taken port fails at start; it
// limits what a slow or hostile client can hold; it serves TLS with
// certificates that are replaced while it runs; and it drains before it stops,
// so that no client loses a request.
//
// It is not for routes, access logs or request metrics: those wrap the handler
// that is passed in.
package httpserver

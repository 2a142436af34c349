package client

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"

	"github.com/eurekube/eurekube/eureka"
)

// Transport is an http.RoundTripper for http://APP/path, where APP is the name of
// an app in any case: it sends the request to an instance that the discovery's
// [Picker] chooses. An instance with a secure port is called by https. The host
// name in the URL has no port and no domain of its own: every request goes to an
// instance, or fails with [ErrNotReady] or a [*NoInstanceError].
//
// When an instance refuses the connection, or none comes about, the request never
// left, so it goes to another one, three in all, provided that it has no body or
// one that can be had again (http.Request.GetBody). Whatever else fails is the
// caller's to judge: the request may have been carried out.
//
// Any number of goroutines may use it at once.
type Transport struct {
	discovery *Discovery
	next      http.RoundTripper
}

// NewTransport sends requests through next, http.DefaultTransport if that is nil.
func NewTransport(discovery *Discovery, next http.RoundTripper) *Transport {
	if next == nil {
		next = http.DefaultTransport
	}
	return &Transport{discovery: discovery, next: next}
}

// maxInstances is how many instances one request is sent to, at most.
const maxInstances = 3

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	var tried []*eureka.Instance
	var refused error
	for len(tried) < maxInstances {
		inst, err := t.choose(r, tried)
		if err != nil {
			closeBody(r)
			return nil, cmp.Or(refused, err) // that the last one was tried says more than that there is no other
		}
		attempt, err := toInstance(r, inst, len(tried) > 0)
		if err != nil {
			closeBody(r)
			return nil, err
		}
		resp, err := t.next.RoundTrip(attempt)
		if err == nil || !neverLeft(err) || r.Context().Err() != nil {
			return resp, err
		}
		refused = fmt.Errorf("instance %s of %q: %w", inst.ID, r.URL.Host, err)
		tried = append(tried, inst)
		if !replayable(r) {
			break
		}
	}
	return nil, refused
}

// choose picks an instance for r that was not tried.
func (t *Transport) choose(r *http.Request, tried []*eureka.Instance) (*eureka.Instance, error) {
	if r.URL.Port() != "" {
		return nil, fmt.Errorf("%q: an app is called by its name alone, without a port", r.URL.Host)
	}
	return t.discovery.pick(r.URL.Host, ofApp(r.URL.Host), tried)
}

// toInstance is r for inst. A body that was sent before is had again.
func toInstance(r *http.Request, inst *eureka.Instance, repeated bool) (*http.Request, error) {
	scheme, port := "http", inst.Port
	if inst.SecurePort.Enabled {
		scheme, port = "https", inst.SecurePort
	}
	if r.URL.Scheme != "http" && r.URL.Scheme != scheme {
		return nil, fmt.Errorf("instance %s of %q cannot be called by %s", inst.ID, r.URL.Host, r.URL.Scheme)
	}
	attempt := r.Clone(r.Context())
	host := strings.Trim(cmp.Or(inst.HostName, inst.IPAddr), "[]") // of IPv6, which JoinHostPort puts on again
	attempt.URL.Scheme, attempt.URL.Host = scheme, net.JoinHostPort(host, strconv.Itoa(port.Number))
	if r.Host == "" || r.Host == r.URL.Host { // else the caller chose one
		attempt.Host = attempt.URL.Host
	}
	if repeated && r.Body != nil && r.Body != http.NoBody {
		body, err := r.GetBody()
		if err != nil {
			return nil, err
		}
		attempt.Body = body
	}
	return attempt, nil
}

// neverLeft reports whether nothing of a request can have been received.
func neverLeft(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// replayable reports whether the body of r can be sent once more.
func replayable(r *http.Request) bool {
	return r.Body == nil || r.Body == http.NoBody || r.GetBody != nil
}

// closeBody does what a RoundTripper owes also when it fails.
func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close() // the request fails with an error that says more
	}
}

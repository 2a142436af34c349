package callback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// The bounds of a call.
const (
	lookupTimeout   = time.Second
	probeTimeout    = time.Second
	deliveryTimeout = 2 * time.Second
	maxAnswer       = 4 << 10  // of a body, beyond which the connection is given up
	maxHeader       = 16 << 10 // of an answer's headers
	idleTimeout     = 10 * time.Second
	maxIdle         = 4096 // connections that wait for the next probe
	callsAtOnce     = 128
	callsAtOnceHost = 16
)

// caller calls the URLs of services within all bounds. It follows no redirect and
// knows no proxy, for either leads to addresses that nobody judged. It may be used
// by many goroutines at once.
type caller struct {
	dialer    *dialer
	transport *http.Transport
	// Calls of one kind never wait for those of another: services that do not
	// answer a probe, or take no patch, cannot make those late that do.
	answering, silent, patches, retries, checks *limiter
}

func newCaller(targets Targets, ownPorts func() []uint16) *caller {
	limit := func() *limiter { return newLimiter(callsAtOnce, callsAtOnceHost) }
	c := &caller{
		dialer:    newDialer(targets, ownPorts),
		answering: limit(), silent: limit(), patches: limit(), retries: limit(), checks: limit(),
	}
	c.transport = &http.Transport{
		DialContext:            c.dialer.dial,
		DialTLSContext:         c.dialer.dialTLS,
		DisableCompression:     true,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    2, // a probe and a patch
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeader,
		// A probe is a hundred bytes each way, and there is a connection for each
		// service.
		ReadBufferSize:  1 << 10,
		WriteBufferSize: 1 << 10,
	}
	return c
}

// check reports why a URL may not be called, as far as that can be told now.
func (c *caller) check(ctx context.Context, e endpoint) error {
	return c.find(ctx, c.checks, &callee{endpoint: e})
}

// probe asks a heartbeat URL once; nil means that it answered 200. That the service
// answered the last one decides whom the probe waits for.
func (c *caller) probe(ctx context.Context, to *callee, answered bool) error {
	limit := c.silent
	if answered {
		limit = c.answering
	}
	return c.reach(ctx, limit, to, probeTimeout, func(ctx context.Context, r route) error {
		status, err := c.call(ctx, http.MethodGet, to, r, nil)
		if err == nil && status != http.StatusOK {
			err = &statusError{status}
		}
		return err
	})
}

// statusError says that a call was answered, but not well.
type statusError struct{ status int }

func (e *statusError) Error() string { return fmt.Sprintf("answered %d", e.status) }

// deliver posts what patch returns when it is the program's turn; nil is nothing,
// and nothing is sent then. That the patch before failed decides whom it waits for.
// After an error the patch may have arrived all the same: see uncertain.
func (c *caller) deliver(ctx context.Context, to *callee, failed bool, patch func() []byte) (sent bool, err error) {
	limit := c.patches
	if failed {
		limit = c.retries
	}
	err = c.reach(ctx, limit, to, deliveryTimeout, func(ctx context.Context, r route) error {
		text := patch()
		if text == nil {
			return nil
		}
		sent = true
		status, err := c.call(ctx, http.MethodPost, to, r, text)
		if err == nil && (status < 200 || status > 299) {
			err = &statusError{status}
		}
		return err
	})
	return sent, err
}

// call returns the status of the answer, whose body says nothing.
func (c *caller) call(ctx context.Context, method string, to *callee, by route, body []byte) (status int, err error) {
	request := (&http.Request{Method: method, URL: by.url, Host: to.url.Host, Header: http.Header{"User-Agent": {"eurekube"}}}).WithContext(ctx)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.ContentLength = int64(len(body))
		request.Body = io.NopCloser(bytes.NewReader(body))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	response, err := c.transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 200 { // after a 101 the connection is the body, and no context ends a read of it
		// What is read to its end leaves the connection for the next call.
		_, _ = io.CopyN(io.Discard, response.Body, maxAnswer)
	}
	return response.StatusCode, nil
}

// unsentError says that a call got no connection.
type unsentError struct{ error }

func (e *unsentError) Unwrap() error { return e.error }

// isUnsent reports whether a call that failed so did not arrive.
func isUnsent(err error) bool {
	var unsent *unsentError
	return errors.As(err, &unsent)
}

// uncertain reports whether a delivery that failed so may have arrived.
func uncertain(err error) bool {
	var answered *statusError
	return !isUnsent(err) && !errors.As(err, &answered)
}

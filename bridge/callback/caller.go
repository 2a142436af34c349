package callback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// The bounds of a call.
const (
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
	answering, silent, patches, retries *limiter
}

func newCaller(targets Targets, admin uint16) *caller {
	c := &caller{
		dialer:    newDialer(targets, admin),
		answering: newLimiter(callsAtOnce, callsAtOnceHost),
		silent:    newLimiter(callsAtOnce, callsAtOnceHost),
		patches:   newLimiter(callsAtOnce, callsAtOnceHost),
		retries:   newLimiter(callsAtOnce, callsAtOnceHost),
	}
	c.transport = &http.Transport{
		DialContext:            c.dialer.dial,
		TLSHandshakeTimeout:    connectTimeout,
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
	_, err := c.dialer.addresses(ctx, e.host, uint16(e.port))
	return err
}

// probe asks a heartbeat URL once; nil means that it answered 200. That the service
// answered the last one decides whom the probe waits for.
func (c *caller) probe(ctx context.Context, e endpoint, answered bool) error {
	limit := c.silent
	if answered {
		limit = c.answering
	}
	release, err := limit.acquire(ctx, e.host)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	status, err := c.call(ctx, http.MethodGet, e, nil)
	if err == nil && status != http.StatusOK {
		err = &statusError{status}
	}
	return err
}

// statusError says that a call was answered, but not well.
type statusError struct{ status int }

func (e *statusError) Error() string { return fmt.Sprintf("answered %d", e.status) }

// deliver posts a patch. After an error it may have arrived all the
// same: see uncertain.
func (c *caller) deliver(ctx context.Context, e endpoint, patch []byte) error {
	ctx, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	status, err := c.call(ctx, http.MethodPost, e, patch)
	if err == nil && (status < 200 || status > 299) {
		err = &statusError{status}
	}
	return err
}

// call returns the status of the answer, whose body says nothing.
func (c *caller) call(ctx context.Context, method string, e endpoint, body []byte) (status int, err error) {
	request := (&http.Request{Method: method, URL: e.url, Host: e.url.Host, Header: http.Header{"User-Agent": {"eurekube"}}}).WithContext(ctx)
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

// uncertain reports whether a delivery that failed so may have arrived.
func uncertain(err error) bool {
	var answered *statusError
	var forbidden *forbiddenError
	var unknown *net.DNSError
	var op *net.OpError
	neverSent := errors.As(err, &forbidden) || errors.As(err, &unknown) || errors.As(err, &op) && op.Op == "dial"
	return !neverSent && !errors.As(err, &answered)
}

package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// requestTimeout bounds an ordinary request with its answer. Netflix's client
// gives 5 s to connect and 8 s to read (protocol section 6.7).
const requestTimeout = 10 * time.Second

// call is a request, whichever server it goes to.
type call struct {
	method string
	path   string // below the service URL, escaped
	query  url.Values
	body   []byte // JSON; nil for none
	// timeout bounds the request with its answer; 0 is requestTimeout.
	timeout time.Duration
}

// instancePath is the path of one instance. An id holds any character (field case
// 37).
func instancePath(app, id string) string {
	return "apps/" + url.PathEscape(app) + "/" + url.PathEscape(id)
}

// answer is what a server said, to its end.
type answer struct {
	on     *server
	method string
	url    string // without credentials
	status int
	header http.Header
	body   []byte
}

// request is c to one server.
func (s *Servers) request(ctx context.Context, on *server, c call) (*http.Request, error) {
	target := on.base + c.path
	if len(c.query) > 0 {
		target += "?" + c.query.Encode()
	}
	var body io.Reader
	if c.body != nil {
		body = bytes.NewReader(c.body)
	}
	r, err := http.NewRequestWithContext(ctx, c.method, target, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "Eurekube-Go-client")
	if c.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if on.username != "" {
		r.SetBasicAuth(on.username, on.password)
	}
	return r, nil
}

// send sends c to one server and reads the answer. The transport asks for gzip and
// inflates; the bound holds for what comes out of it.
func (s *Servers) send(ctx context.Context, on *server, c call) (*answer, error) {
	timeout := c.timeout
	if timeout == 0 {
		timeout = requestTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := s.request(ctx, on, c)
	if err != nil {
		return nil, err
	}
	resp, err := s.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // it was only read
	body, err := io.ReadAll(io.LimitReader(resp.Body, s.max+1))
	if err != nil {
		return nil, fmt.Errorf("%s %s: read the answer: %w", c.method, r.URL, err)
	}
	if int64(len(body)) > s.max {
		return nil, fmt.Errorf("%s %s: the answer is longer than %d bytes", c.method, r.URL, s.max)
	}
	return &answer{on: on, method: c.method, url: r.URL.String(), status: resp.StatusCode, header: resp.Header, body: body}, nil
}

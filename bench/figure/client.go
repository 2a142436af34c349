package figure

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// newClient returns a client with a pool of keep-alive connections, which hands
// over gzip as it comes.
func newClient(connections int) *http.Client {
	return &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: connections, MaxIdleConns: connections}}
}

// reader reads one answer of the API again and again, into one buffer: garbage
// of the load would take time from the program on the same cores.
type reader struct {
	client *http.Client
	url    string
	accept string
	gzip   bool
	ifNew  bool   // only new answers are wanted
	etag   string // of the last answer
	body   bytes.Buffer
}

// read returns the body as it came, nil when it is still the last one. It is
// valid until the next call.
func (r *reader) read(ctx context.Context) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", r.accept)
	if r.gzip {
		request.Header.Set("Accept-Encoding", "gzip")
	}
	if r.ifNew && r.etag != "" {
		request.Header.Set("If-None-Match", r.etag)
	}
	response, err := r.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	r.body.Reset()
	if _, err := r.body.ReadFrom(response.Body); err != nil {
		return nil, err
	}
	switch response.StatusCode {
	case http.StatusOK:
		r.etag = response.Header.Get("ETag")
		return r.body.Bytes(), nil
	case http.StatusNotModified:
		return nil, nil
	}
	return nil, fmt.Errorf("GET %s: status %d", r.url, response.StatusCode)
}

// mediaJSON is what a client accepts that wants JSON.
const mediaJSON = "application/json"

// versionWithin is how much of an answer has its version: JSON has it in front.
const versionWithin = 256

// versionOf is the versions__delta of an answer in JSON.
func versionOf(body []byte, zip bool) (int64, error) {
	head := body[:min(len(body), versionWithin)]
	if zip {
		inflating, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			return 0, err
		}
		head = make([]byte, versionWithin)
		n, err := io.ReadFull(inflating, head)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
		head = head[:n]
	}
	_, rest, ok := bytes.Cut(head, []byte(`"versions__delta":"`))
	number, _, closed := bytes.Cut(rest, []byte(`"`))
	if !ok || !closed {
		return 0, fmt.Errorf("no version in %q", head)
	}
	return strconv.ParseInt(string(number), 10, 64)
}

// eachID calls yield with the id of every instance of an answer in plain JSON.
func eachID(body []byte, yield func(id []byte)) {
	for {
		_, rest, ok := bytes.Cut(body, []byte(`"instanceId":"`))
		if !ok {
			return
		}
		id, after, _ := bytes.Cut(rest, []byte(`"`))
		yield(id)
		body = after
	}
}

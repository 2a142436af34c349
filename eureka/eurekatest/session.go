package eurekatest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// session is what one check does with the server.
type session struct {
	*target
	app   string   // a name of the check's own, in upper case
	paths []string // of instances that may be registered
}

// answer is what the server answered.
type answer struct {
	request string // method and path, for messages
	status  int
	header  http.Header
	body    []byte
}

// String is the answer in short.
func (a answer) String() string {
	return fmt.Sprintf("%s: answered %d %.120q", a.request, a.status, a.body)
}

// maxBody bounds an answer that is read.
const maxBody = 256 << 20

// header is a request's header field, as a name and a value.
type header [2]string

var (
	asJSON  = header{"Accept", "application/json"}
	asXML   = header{"Accept", "application/xml"}
	compact = header{"X-Eureka-Accept", "compact"}
	// asPeer marks a request as another server's.
	asPeer   = header{"x-netflix-discovery-replication", "true"}
	sendJSON = header{"Content-Type", "application/json"}
	sendXML  = header{"Content-Type", "application/xml"}
)

// send sends a request. The path is below the base URL, and goes out as it is.
func (s *session) send(ctx context.Context, method, path, body string, headers ...header) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.base+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	for _, h := range headers {
		request.Header.Set(h[0], h[1])
	}
	if request.Header.Get("Accept-Encoding") == "" {
		request.Header.Set("Accept-Encoding", "identity")
	}
	if s.user != nil {
		password, _ := s.user.Password()
		request.SetBasicAuth(s.user.Username(), password)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return answer{}, fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	return answer{method + " " + path, response.StatusCode, response.Header, content}, nil
}

func (s *session) get(ctx context.Context, path string, headers ...header) (answer, error) {
	return s.send(ctx, http.MethodGet, path, "", headers...)
}

// expect sends a request and fails unless the answer has the status.
func (s *session) expect(ctx context.Context, status int, method, path, body string, headers ...header) (answer, error) {
	a, err := s.send(ctx, method, path, body, headers...)
	if err != nil {
		return a, err
	}
	if a.status != status {
		return a, fmt.Errorf("%s, want %d", a, status)
	}
	return a, nil
}

// expectEmpty is expect, and the answer must have no body and no type of one:
// Jersey clients decode whatever is there (protocol section 8.1).
func (s *session) expectEmpty(ctx context.Context, status int, method, path, body string, headers ...header) error {
	a, err := s.expect(ctx, status, method, path, body, headers...)
	if err != nil {
		return err
	}
	if len(a.body) > 0 || a.header.Get("Content-Type") != "" {
		return fmt.Errorf("%s of type %q, want no body and no type", a, a.header.Get("Content-Type"))
	}
	return nil
}

// put sends a PUT without a body that must be answered by the status.
func (s *session) put(ctx context.Context, status int, path string) error {
	_, err := s.expect(ctx, status, http.MethodPut, path, "", asJSON)
	return err
}

// eventually asks until the answer is right, or the time to settle is over.
func (s *session) eventually(ctx context.Context, right func() error) error {
	deadline := time.Now().Add(s.settle)
	for {
		err := right()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// instancePath is the path of an instance of the check's app.
func (s *session) instancePath(id string) string {
	return "/apps/" + s.app + "/" + url.PathEscape(id)
}

// register registers an instance of the check's app, in JSON.
func (s *session) register(ctx context.Context, inst fields) error {
	return s.expectEmpty(ctx, http.StatusNoContent, http.MethodPost, s.appPath(inst), inst.json(), sendJSON, asJSON)
}

// refused sends a registration that must be answered by 400, and returns the
// reason.
func (s *session) refused(ctx context.Context, body string, headers ...header) (string, error) {
	path := "/apps/" + s.app
	a, err := s.expect(ctx, http.StatusBadRequest, http.MethodPost, path, body, append(headers, asJSON)...)
	return string(a.body), err
}

// appPath is where inst registers. It will be cancelled when the check is over.
func (s *session) appPath(inst fields) string {
	id, _ := inst["instanceId"].(string)
	if id == "" {
		id, _ = inst["hostName"].(string)
	}
	s.willCancel(s.instancePath(id))
	return "/apps/" + s.app
}

func (s *session) willCancel(path string) {
	if !slices.Contains(s.paths, path) {
		s.paths = append(s.paths, path)
	}
}

// cleanUp cancels what the check registered. What is not there any more is fine.
func (s *session) cleanUp(ctx context.Context) error {
	for _, path := range s.paths {
		if _, err := s.send(ctx, http.MethodDelete, path, ""); err != nil {
			return fmt.Errorf("clean up: %w", err)
		}
	}
	return nil
}

// sameBytes fails unless two answers are equal but for their headers.
func sameBytes(a, b answer) error {
	if a.status != b.status || !bytes.Equal(a.body, b.body) {
		return fmt.Errorf("%s and %s, want the same", a, b)
	}
	return nil
}

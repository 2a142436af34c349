package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/internal/auth"
)

// pipes is a listener whose connections live in memory, so that a server runs in
// fake time.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// readTimeout is how long the server reads a request.
const readTimeout = 10 * time.Second

// serve serves the API with timeouts that are shorter than a poll, and returns what
// connects to it.
func serve(t *testing.T, s *server) (dial func() net.Conn) {
	t.Helper()
	listener := make(pipes)
	h := &http.Server{Handler: s.api, ReadTimeout: readTimeout, WriteTimeout: 20 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = h.Serve(listener)
	}()
	t.Cleanup(func() {
		close(listener)
		h.Close()
		<-done
		time.Sleep(time.Second) // for which a connection that is cut off lingers
	})
	return func() net.Conn {
		client, server := net.Pipe()
		listener <- server
		t.Cleanup(func() { client.Close() })
		return client
	}
}

// TestABodyThatComesLateOrNever has polls announce a body.
func TestABodyThatComesLateOrNever(t *testing.T) {
	tests := []struct {
		name, headers, body string
		bodyAfter           time.Duration
		code                int
		after               time.Duration // until the answer
		closed              bool
	}{
		{name: "at once", headers: "Content-Length: 5", body: "hello", code: http.StatusOK, after: 30 * time.Second},
		{name: "late", headers: "Content-Length: 5", body: "hello", bodyAfter: 5 * time.Second, code: http.StatusOK, after: 30 * time.Second},
		{name: "later than the server reads others", headers: "Content-Length: 5", body: "hello", bodyAfter: 15 * time.Second, code: http.StatusOK, after: 30 * time.Second},
		{name: "never", headers: "Content-Length: 5", code: http.StatusOK, after: 30 * time.Second, closed: true},
		{name: "never the rest", headers: "Content-Length: 5", body: "hel", code: http.StatusOK, after: 30 * time.Second, closed: true},
		{name: "never a chunk", headers: "Transfer-Encoding: chunked", code: http.StatusOK, after: 30 * time.Second, closed: true},
		{name: "what is no chunk", headers: "Transfer-Encoding: chunked", body: "x\r\n", code: http.StatusBadRequest, closed: true},
		{name: "without an end", headers: "Transfer-Encoding: chunked", body: "fffff\r\n" + strings.Repeat("x", 1<<19), code: http.StatusRequestEntityTooLarge, closed: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := run(t, func(s *server, config *Config) { config.WriteTimeout = 20 * time.Second })
				s.open()
				conn := serve(t, s)()
				go func() {
					_, _ = fmt.Fprintf(conn, "GET %s?wait=30s HTTP/1.1\r\nHost: eurekube\r\n%s\r\n\r\n", deltaPath, tt.headers)
					time.Sleep(tt.bodyAfter)
					_, _ = io.WriteString(conn, tt.body)
				}()
				start := time.Now()
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				a := read(t, resp)
				if a.StatusCode != tt.code || time.Since(start) != tt.after || a.Close != tt.closed {
					t.Errorf("answer = %d %q after %v, last on its connection %v; want %d after %v and %v", a.StatusCode, a.text, time.Since(start), a.Close, tt.code, tt.after, tt.closed)
				}
				conn.Close()
			})
		})
	}
}

// TestABodyThatNeverComesToReads has reads that do not wait announce a body: they are
// answered when the server reads requests no longer.
func TestABodyThatNeverComesToReads(t *testing.T) {
	for _, path := range []string{"/eureka/apps", deltaPath, "/eureka/apps/A", "/eureka/vips/a", "/eureka/status", "/eureka/apps/A/i1"} {
		t.Run(path, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := run(t, func(*server, *Config) {})
				s.registry.Replace(registry.OwnerPod, "1", registry.Listed(inst("A", "i1")))
				s.open()
				conn := serve(t, s)()
				start := time.Now()
				if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: eurekube\r\nContent-Length: 5\r\n\r\n", path); err != nil {
					t.Fatal(err)
				}
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				if a := read(t, resp); a.StatusCode != http.StatusOK || !a.Close || time.Since(start) > readTimeout {
					t.Errorf("answer = %d after %v, last on its connection %v; want 200 within %v and true", a.StatusCode, time.Since(start), a.Close, readTimeout)
				}
				conn.Close()
			})
		})
	}
}

// TestAPollWithABodyEndsWithItsClient has a client send a body with a poll, and go.
func TestAPollWithABodyEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		s := run(t, func(s *server, config *Config) { config.WriteTimeout = 20 * time.Second })
		s.open()
		inner := s.api.fixed[deltaPath]
		s.api.fixed[deltaPath] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			inner.ServeHTTP(w, r)
			close(ended)
		})
		conn := serve(t, s)()
		if _, err := fmt.Fprintf(conn, "GET %s?wait=30s HTTP/1.1\r\nHost: eurekube\r\nContent-Length: 5\r\n\r\nhello", deltaPath); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		left := time.Now()
		conn.Close()
		if <-ended; time.Since(left) != 0 {
			t.Errorf("the poll ended %v after its client had gone", time.Since(left))
		}
	})
}

// TestAnswersEndWithTheirCredentials takes users out of the file after 19 seconds.
func TestAnswersEndWithTheirCredentials(t *testing.T) {
	const stream, poll = "/eureka/stream", deltaPath + "?wait=50s"
	const gone, changed, stays = "other:x", "plain:new", "plain:pass:word\nother:x"
	tests := []struct {
		name, path, users string
		closed            bool // are reads
		code              int
		after             time.Duration
	}{
		{"a stream of a user who is gone", stream, gone, true, http.StatusOK, 20 * time.Second},
		{"a stream of a user with another password", stream, changed, true, http.StatusOK, 20 * time.Second},
		{"a stream of a user who stays", stream, stays, true, http.StatusOK, time.Minute},
		{"a stream that everybody may read", stream, gone, false, http.StatusOK, time.Minute},
		{"a poll of a user who is gone", poll, gone, true, http.StatusUnauthorized, 20 * time.Second},
		{"a poll of a user who stays", poll, stays, true, http.StatusOK, 50 * time.Second},
		{"a poll that everybody may wait for", poll, gone, false, http.StatusOK, 50 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := usersFile(t, "plain:pass:word")
				s := run(t, func(_ *server, config *Config) {
					config.Stream = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
					config.Users, config.AuthReads, config.WriteTimeout = follow(t, file), tt.closed, time.Minute
				})
				s.open()
				time.AfterFunc(19*time.Second, func() { writeUsers(t, file, tt.users) })
				ctx, leave := context.WithTimeout(t.Context(), time.Minute)
				defer leave()
				request := httptest.NewRequestWithContext(ctx, http.MethodGet, tt.path, http.NoBody)
				request.SetBasicAuth("plain", "pass:word")
				start, answer := time.Now(), httptest.NewRecorder()
				s.api.ServeHTTP(answer, request)
				if answer.Code != tt.code || time.Since(start) != tt.after {
					t.Errorf("answer = %d, over after %v; want %d after %v", answer.Code, time.Since(start), tt.code, tt.after)
				}
				if tt.code == http.StatusUnauthorized && (answer.Body.Len() > 0 || answer.Header().Get("WWW-Authenticate") == "") {
					t.Errorf("answer = %v %q, want no body and a challenge", answer.Header(), answer.Body)
				}
			})
		})
	}
}

// follow is the users of a file that is followed until the test ends.
func follow(t *testing.T, path string) *auth.File {
	t.Helper()
	file, err := auth.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = file.Run(ctx) // nil
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return file
}

func usersFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "users")
	writeUsers(t, path, text)
	return path
}

func writeUsers(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Error(err)
	}
}

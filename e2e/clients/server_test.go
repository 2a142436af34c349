package clients

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eurekube/eurekube/e2e/address"
	"github.com/eurekube/eurekube/e2e/process"
	"github.com/eurekube/eurekube/e2e/suite"
)

// server is a running eurekube.
type server struct {
	*process.Process
	address   string // host and port of the Eureka API
	admin     string // URL without a path
	manifests string // a copy of the demo, which a test may change
	args      []string
	logPath   string

	credentials string // user:password that reads and writes need; empty: none
}

// startServer starts eurekube on the demo's manifests, as make run does, and
// returns when it is ready. It is killed when the test ends; its log is shown when
// the test failed.
func startServer(t *testing.T, args ...string) *server {
	t.Helper()
	manifests := t.TempDir()
	if err := os.CopyFS(manifests, os.DirFS("../../deploy/demo")); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, append([]string{"--manifests=" + manifests}, args...)...)
	s.manifests = manifests
	return s
}

// newServer is startServer with other pods, which args name.
func newServer(t *testing.T, args ...string) *server {
	t.Helper()
	s := &server{address: freeAddress(t), logPath: filepath.Join(t.TempDir(), "eurekube.log")}
	admin := freeAddress(t)
	s.admin = "http://" + admin
	s.args = append([]string{"serve", "--listen=" + s.address, "--admin-listen=" + admin, "-v=2"}, args...)
	s.start(t)
	t.Cleanup(func() {
		if err := s.Kill(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("eurekube %s\n%s", strings.Join(s.args, " "), s.LogTail(60))
		}
	})
	return s
}

// start starts the program, at first or after it was killed: it then knows nothing
// of what registered before.
func (s *server) start(t *testing.T) {
	t.Helper()
	child, err := process.Start("eurekube", s.logPath, programs.eurekube, s.args, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Process = child
	suite.Eventually(t, soon, func() error {
		select {
		case <-child.Ended():
			t.Fatalf("eurekube ended:\n%s", child.LogTail(20))
		default:
		}
		status, _, err := send(t.Context(), http.MethodGet, s.admin+"/readyz", "")
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("GET /readyz = %d", status)
		}
		return err
	})
}

// serviceURL is what clients are configured with. credentials are empty or
// "user:password".
func serviceURL(address, credentials string) string {
	if credentials != "" {
		credentials += "@"
	}
	return "http://" + credentials + address + "/eureka/"
}

// order sends a request that changes something and fails the test unless it was
// done.
func (s *server) order(t *testing.T, method, url, body string) {
	t.Helper()
	status, answer, err := send(t.Context(), method, s.withCredentials(url), body)
	if err != nil {
		t.Fatal(err)
	}
	if status != http.StatusOK && status != http.StatusNoContent {
		t.Fatalf("%s %s = %d %.200q", method, url, status, answer)
	}
}

func (s *server) withCredentials(url string) string {
	if s.credentials == "" {
		return url
	}
	return strings.Replace(url, "://", "://"+s.credentials+"@", 1)
}

// send sends a request with the body as JSON, none when it is empty, and returns
// the status and the body of the answer.
func send(ctx context.Context, method, url, body string) (status int, answer string, err error) {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Accept", "application/json")
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return response.StatusCode, string(content), err
}

// freeAddress returns an address of loopback that nobody listens on now.
func freeAddress(t *testing.T) string {
	t.Helper()
	return freePort(t, "127.0.0.1")
}

// freePort is freeAddress on any host.
func freePort(t *testing.T, host string) string {
	t.Helper()
	free, err := address.Free(host)
	if err != nil {
		t.Fatal(err)
	}
	return free
}

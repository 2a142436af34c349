package charttest

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// demoServer is the server as a process, which serves the demo.
type demoServer struct {
	*testing.T
	command *exec.Cmd
	log     *bufio.Scanner
	lines   []string // of the log, as far as they were read
}

// serveDemo starts the server and returns the base URLs of its two ports once
// it lists pods. At the end of the test it is told to stop, and must obey.
func serveDemo(t *testing.T) (api, admin string) {
	t.Helper()
	dir := build(t)
	if err := os.CopyFS(filepath.Join(dir, "demo"), os.DirFS(demo)); err != nil {
		t.Fatal(err)
	}
	chosen := container(t, "drain: 1s")
	s := &demoServer{T: t, command: inImage(t, dir, chosen.Args...)}
	s.command.Env = []string{"EUREKUBE_MANIFESTS=/demo", "EUREKUBE_LISTEN=127.0.0.1:0", "EUREKUBE_ADMIN_LISTEN=127.0.0.1:0"}
	for _, variable := range chosen.Env {
		s.command.Env = append(s.command.Env, variable.Name+"="+variable.Value)
	}
	stderr, err := s.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.log = bufio.NewScanner(stderr)
	if err := s.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	api, admin = s.loggedAddress("clients"), s.loggedAddress("admin")
	s.awaitLog(`"Published the first snapshot"`)
	return "http://" + api, "http://" + admin
}

var addressKey = regexp.MustCompile(`address="([^"]+)"`)

// loggedAddress is the address that the named port has: one that was picked when
// it was opened, which nobody else can have taken.
func (s *demoServer) loggedAddress(server string) string {
	s.Helper()
	line := s.awaitLog(`"Listening" server="` + server + `"`)
	address := addressKey.FindStringSubmatch(line)
	if address == nil {
		s.Fatalf("the log names no address in %s", line)
	}
	return address[1]
}

// awaitLog returns the first line of the log that has the text.
func (s *demoServer) awaitLog(text string) string {
	s.Helper()
	for n := 0; ; n++ {
		if n == len(s.lines) {
			if !s.log.Scan() {
				s.Fatalf("the log ended before %q was in it", text)
			}
			s.lines = append(s.lines, s.log.Text())
		}
		if strings.Contains(s.lines[n], text) {
			return s.lines[n]
		}
	}
}

// stop sends SIGTERM, as the kubelet does, and wants an orderly end within the
// grace period that the chart gives.
func (s *demoServer) stop() {
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil {
		s.Errorf("the server ended by itself: %v", err)
	}
	kill := time.AfterFunc(16*time.Second, func() { _ = s.command.Process.Kill() })
	for s.log.Scan() {
		s.lines = append(s.lines, s.log.Text())
	}
	err := s.command.Wait()
	if !kill.Stop() {
		s.Error("the server did not end within the grace period")
	}
	if err != nil {
		s.Errorf("the server ended with %v after SIGTERM", err)
	}
	if s.Failed() {
		s.Logf("log of the server:\n%s", strings.Join(s.lines, "\n"))
	}
}

func get(t *testing.T, url string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v\n%s", url, response.Status, err, body)
	}
	return body
}

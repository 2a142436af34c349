package app

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// runProgram in the environment turns the test program into eurekube itself.
const runProgram = "RUN_PROGRAM"

// process is the program as a process of its own, on free ports of the loopback
// interface.
type process struct {
	*testing.T
	command        *exec.Cmd
	clients, admin string // base URLs
	log            *bufio.Scanner
	lines          []string // of the log, as far as they were read
}

// launch starts the program with the flags and returns when it lists pods.
func launch(t *testing.T, flags ...string) *process {
	t.Helper()
	p := launchUnsynced(t, flags...)
	p.awaitLog(`"Published the first snapshot"`)
	return p
}

// launchUnsynced returns when the program listens. The end of the test kills it
// if it still runs.
func launchUnsynced(t *testing.T, flags ...string) *process {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"serve", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"}, flags...)
	command := exec.CommandContext(t.Context(), filepath.Clean(executable), args...)
	command.Env = []string{runProgram + "=1"}
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := command.StdinPipe(); err != nil { // open as long as this process lives
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill() // fails when it has ended already
		_ = command.Wait()
	})
	p := &process{T: t, command: command, log: bufio.NewScanner(stderr)}
	p.clients = "http://" + p.loggedAddress("clients")
	p.admin = "http://" + p.loggedAddress("admin")
	return p
}

var addressKey = regexp.MustCompile(`address="([^"]+)"`)

// loggedAddress is the address that the named server listens on.
func (p *process) loggedAddress(server string) string {
	p.Helper()
	return addressKey.FindStringSubmatch(p.awaitLog(`"Listening" server="` + server + `"`))[1]
}

// awaitLog reads the log until the text is in a line, and returns that line. It
// may be one that was read while another was awaited: actors start together.
func (p *process) awaitLog(text string) string {
	p.Helper()
	for n := 0; ; n++ {
		if n == len(p.lines) {
			if !p.log.Scan() {
				p.Fatalf("the log ended before %q was in it:\n%s", text, strings.Join(p.lines, "\n"))
			}
			p.lines = append(p.lines, p.log.Text())
		}
		if strings.Contains(p.lines[n], text) {
			return p.lines[n]
		}
	}
}

// wait reads the rest of the log and returns the exit code.
func (p *process) wait() int {
	for p.log.Scan() {
	}
	_ = p.command.Wait() // an exit code other than 0 is an error too
	return p.command.ProcessState.ExitCode()
}

// do sends one request, as it stands in the path, and reads the answer to its
// end. It neither follows redirects nor unpacks.
func (p *process) do(client *http.Client, method, url string, headers ...string) (*http.Response, string) {
	p.Helper()
	req, err := http.NewRequestWithContext(p.Context(), method, url, nil)
	if err != nil {
		p.Fatal(err)
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		req.Header.Add(name, value)
	}
	resp, err := client.Do(req)
	if err != nil {
		p.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		p.Fatalf("%s %s: %v", method, url, err)
	}
	return resp, string(body)
}

// newClient is a client that hides nothing of the wire.
func newClient(t *testing.T) *http.Client {
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// manifests writes pods into a new directory, one file each, as kubectl get
// shows them.
func manifests(t *testing.T, pods ...*corev1.Pod) string {
	t.Helper()
	dir := t.TempDir()
	for _, p := range pods {
		writeManifest(t, dir, p)
	}
	return dir
}

func writeManifest(t *testing.T, dir string, p *corev1.Pod) {
	t.Helper()
	text, err := yaml.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, p.Name+".yaml"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

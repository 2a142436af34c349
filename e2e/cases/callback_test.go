package cases

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/process"
	"github.com/eurekube/eurekube/e2e/suite"
)

// silentAfter is how long the bridge takes to give up a service that is killed:
// three seconds to the next probe, and three tries.
const silentAfter = 10 * time.Second

// TestCallback has a log service and a program that logs through it find each other
// over the bridge, kills the log service and brings it back.
func TestCallback(t *testing.T) {
	t.Parallel()
	program, services := startCallback(t, newNamespace(t))
	binary, err := binaries.Demo(t.Context(), "callback")
	if err != nil {
		t.Fatal(err)
	}
	demo := callbackDemo{binary: binary, services: services}
	address := freeAddress(t)
	log := demo.start(t, "log", "-listen="+address)
	program.expectCallback(t, "LOGSERVICE", "http://"+address)

	grade := demo.start(t, "grade", "-every=100ms")
	grade.expectSays(t, soon, "logged through http://"+address)
	log.expectSays(t, soon, `logged "graded student 1"`)

	if err := log.Kill(); err != nil {
		t.Fatal(err)
	}
	grade.expectSays(t, soon, "connection refused")
	grade.expectSays(t, silentAfter+soon, "not logged: no provider of LogService")
	program.expectCallback(t, "LOGSERVICE")

	log = demo.start(t, "log", "-listen="+address)
	log.expectSays(t, soon, `logged "graded student`)
	grade.expectLastSays(t, soon, "logged through http://"+address)
	program.expectCallback(t, "LOGSERVICE", "http://"+address)

	// The registry restarts and knows nobody. Its programs notice that no probe comes.
	if err := program.Kill(); err != nil {
		t.Fatal(err)
	}
	again := startProgram(t, program.kubeconfig, append(program.args, "--listen="+strings.TrimPrefix(program.base, "http://"))...)
	again.expectReady(t)
	suite.Eventually(t, time.Minute, func() error { return program.callback(t, "LOGSERVICE", "http://"+address) })
	suite.Eventually(t, time.Minute, func() error { return program.callback(t, "GRADINGSERVICE", grade.url) })
	grade.expectLastSays(t, soon, "logged through http://"+address)

	// One that is told to stop says so itself.
	if err := log.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, err := log.Wait(t.Context()); err != nil || code != 0 {
		t.Errorf("the log service ended with %d, %v, want 0", code, err)
	}
	program.expectCallback(t, "LOGSERVICE")
	grade.expectLastSays(t, soon, "not logged: no provider of LogService")
}

// TestCallback_PodsAreProviders has a program told of pods as they come and go.
func TestCallback_PodsAreProviders(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	_, services := startCallback(t, namespace)
	first := createReady(t, namespace, "orders-1", "orders")
	told := registerTold(t, services, "Orders")
	told.expect(t, first.Status.PodIP)

	second := createReady(t, namespace, "orders-2", "orders")
	told.expect(t, first.Status.PodIP, second.Status.PodIP)
	setStatus(t, namespace, "orders-1", notReadyStatus(first.Status.PodIP))
	told.expect(t, second.Status.PodIP)
	remove(t, namespace, "orders-2", time.Minute)
	told.expect(t)
}

// callbackProgram is the program with the bridge, and how to start another.
type callbackProgram struct {
	*program
	kubeconfig string
	args       []string
}

// startCallback starts the program on the pods of namespace, and returns it and the
// URL of the bridge.
func startCallback(t *testing.T, namespace string) (callbackProgram, string) {
	t.Helper()
	address := freeAddress(t)
	p := callbackProgram{
		kubeconfig: installChart(t, namespace, "namespaces={"+namespace+"}").kubeconfig(t, ""),
		args:       []string{"--namespaces=" + namespace, "--bridge=callback", "--callback-listen=" + address, "--callback-targets=127.0.0.0/8"},
	}
	p.program = startProgram(t, p.kubeconfig, p.args...)
	p.expectReady(t)
	return p, "http://" + address + "/services"
}

// callback is an error unless Eureka clients see the services of app with these
// URLs, and no others.
func (p *program) callback(t *testing.T, app string, want ...string) error {
	answer, err := p.list(t.Context(), "apps")
	if err != nil {
		return err
	}
	var got []string
	for _, instance := range answer.Instances {
		if instance.App == app {
			got = append(got, instance.Metadata["service-url"])
		}
	}
	return sameNames(got, want)
}

func (p *program) expectCallback(t *testing.T, app string, want ...string) {
	t.Helper()
	suite.Eventually(t, soon, func() error { return p.callback(t, app, want...) })
}

// callbackDemo is the demo program and the registry that it is run at.
type callbackDemo struct {
	binary, services string
}

// callbackService is a running demo program.
type callbackService struct {
	*process.Process
	url string
}

// start starts a program and returns when it has said where it is.
func (d callbackDemo) start(t *testing.T, command string, args ...string) callbackService {
	t.Helper()
	args = append([]string{command, "-registry=" + d.services}, args...)
	child, err := process.Start("callback "+command, filepath.Join(t.TempDir(), command+".log"), d.binary, args, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := child.Kill(); err != nil {
			t.Error(err)
		}
	})
	s := callbackService{Process: child}
	suite.Eventually(t, soon, func() error {
		text, err := s.output()
		if err != nil {
			return err
		}
		var name string
		if _, err := fmt.Sscanf(text, "%s at %s\n", &name, &s.url); err != nil {
			return fmt.Errorf("it says %q: %w", text, err)
		}
		return nil
	})
	return s
}

func (s callbackService) output() (string, error) {
	text, err := os.ReadFile(s.LogPath())
	return string(text), err
}

// expectSays waits until the program has said want.
func (s callbackService) expectSays(t *testing.T, within time.Duration, want string) {
	t.Helper()
	suite.Eventually(t, within, func() error {
		text, err := s.output()
		if err == nil && !strings.Contains(text, want) {
			err = fmt.Errorf("it says %q, want %q", text, want)
		}
		return err
	})
}

// expectLastSays waits until want is the last that the program has said.
func (s callbackService) expectLastSays(t *testing.T, within time.Duration, want string) {
	t.Helper()
	suite.Eventually(t, within, func() error {
		text, err := s.output()
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if last := lines[len(lines)-1]; err == nil && last != want {
			err = fmt.Errorf("it says %q last, want %q", last, want)
		}
		return err
	})
}

// toldProgram is a program of this process, and the providers that it was told of.
type toldProgram struct {
	mu        sync.Mutex // guards providers
	providers map[string]bool
}

// registerTold registers a program that requires a service.
func registerTold(t *testing.T, services, requires string) *toldProgram {
	t.Helper()
	p := &toldProgram{providers: map[string]bool{}}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	body := fmt.Sprintf(`{"ServiceName":"Portal","ServiceURL":%q,"RequiredServices":[%q],"ServiceUpdateURL":%q,"HeartbeatURL":%q}`,
		server.URL, requires, server.URL+"/services", server.URL+"/heartbeat")
	response, err := httpClient.Post(services, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("POST %s = %s, want 200", services, response.Status)
	}
	return p
}

// ServeHTTP answers probes and takes patches.
func (p *toldProgram) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/services" {
		return
	}
	var patch struct{ Added, Removed []struct{ Name, URL string } }
	if err := json.NewDecoder(r.Body).Decode(&patch); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, removed := range patch.Removed {
		delete(p.providers, removed.Name+" "+removed.URL)
	}
	for _, added := range patch.Added {
		p.providers[added.Name+" "+added.URL] = true
	}
}

// expect waits until the program knows exactly the pods with these addresses.
func (p *toldProgram) expect(t *testing.T, addresses ...string) {
	t.Helper()
	want := map[string]bool{}
	for _, address := range addresses {
		want["Orders http://"+address+":8080"] = true
	}
	suite.Eventually(t, soon, func() error {
		p.mu.Lock()
		defer p.mu.Unlock()
		if fmt.Sprint(p.providers) != fmt.Sprint(want) {
			return fmt.Errorf("it knows %v, want %v", p.providers, want)
		}
		return nil
	})
}

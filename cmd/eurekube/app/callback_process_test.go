package app

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// toldProgram is one that registers at the callback bridge and hands on what it is
// told.
func toldProgram(t *testing.T) (url string, told <-chan string) {
	patches := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/services" {
			body, _ := io.ReadAll(r.Body) // what is missing is told by the comparison
			patches <- string(body)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, patches
}

// TestCallback_Process is the bridge between pods and Eureka clients, over real
// connections.
func TestCallback_Process(t *testing.T) {
	dir := manifests(t, pod("a", "10.0.0.5", "orders"))
	p := launch(t, "--manifests", dir, "--drain=0s", "--bridge=callback", "--callback-listen=127.0.0.1:0", "--callback-targets=127.0.0.0/8")
	services := "http://" + p.loggedAddress("callback") + "/services"
	url, told := toldProgram(t)
	registration, err := json.Marshal(map[string]any{
		"ServiceName": "Portal", "ServiceURL": url, "RequiredServices": []string{"Orders"},
		"ServiceUpdateURl": url + "/services", "HeartbeatURL": url + "/heartbeat",
	})
	if err != nil {
		t.Fatal(err)
	}
	client := newClient(t)
	resp, err := client.Post(services, "application/json", strings.NewReader(string(registration)))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close() //nolint:errcheck // it is empty
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("POST = %d, want 200", resp.StatusCode)
	}
	before := ""
	expect := func(want string) {
		t.Helper()
		got := <-told
		for got == before { // what is not answered within two seconds is told again
			got = <-told
		}
		if before = got; got != want {
			t.Errorf("told %s, want %s", got, want)
		}
	}
	expect(`{"Added":[{"Name":"Orders","URL":"http://10.0.0.5:8080"}],"Removed":[]}`)
	if _, body := p.do(client, http.MethodGet, p.clients+"/eureka/apps/PORTAL", asJSON); !strings.Contains(body, `"service-url":"`+url+`"`) {
		t.Errorf("Eureka clients read %s, want the service with its URL", body)
	}
	if err := os.Remove(filepath.Join(dir, "a.yaml")); err != nil {
		t.Fatal(err)
	}
	expect(`{"Added":[],"Removed":[{"Name":"Orders","URL":"http://10.0.0.5:8080"}]}`)
	if _, body := p.do(client, http.MethodGet, p.admin+"/metrics"); !strings.Contains(body, `eurekube_callback_services{state="listed"} 1`) {
		t.Error("the metrics do not count the service")
	}
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

// TestCallback_OwnPortsAreNotCalled has the program listen on ports that the kernel
// chooses, and asks it to call them.
func TestCallback_OwnPortsAreNotCalled(t *testing.T) {
	p := launch(t, "--manifests", manifests(t), "--bridge=callback", "--callback-listen=127.0.0.1:0", "--callback-targets=127.0.0.0/8")
	services := "http://" + p.loggedAddress("callback") + "/services"
	client := newClient(t)
	for name, own := range map[string]string{"admin": p.admin + "/debug/pprof/profile", "clients": p.clients + "/eureka/apps", "callback": services} {
		t.Run(name, func(t *testing.T) {
			body := `{"ServiceName":"Log","ServiceURL":"http://10.0.0.1:4000","HeartbeatURL":"` + own + `"}`
			resp, err := client.Post(services, "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close() //nolint:errcheck // the status says it
			if resp.StatusCode != http.StatusBadRequest {
				t.Errorf("POST of a service that is probed at %s = %d, want 400", own, resp.StatusCode)
			}
		})
	}
}

func TestCallback_OffHasNoPort(t *testing.T) {
	p := launch(t, "--manifests", manifests(t))
	if resp, _ := p.do(newClient(t), http.MethodPost, p.clients+"/services"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("POST /services on the client port = %d, want 404", resp.StatusCode)
	}
	if log := strings.Join(p.lines, "\n"); strings.Contains(log, `server="callback"`) {
		t.Errorf("the bridge listens:\n%s", log)
	}
}

// TestCallback_SelfRegistrationOff takes no registrations.
func TestCallback_SelfRegistrationOff(t *testing.T) {
	p := launch(t, "--manifests", manifests(t), "--self-registration=off", "--bridge=callback", "--callback-listen=127.0.0.1:0")
	if resp, _ := p.do(newClient(t), http.MethodPost, "http://"+p.loggedAddress("callback")+"/services"); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST = %d, want 405", resp.StatusCode)
	}
}

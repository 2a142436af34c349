package cases

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/process"
	"github.com/eurekube/eurekube/e2e/suite"
)

// How long GeeRPC servers of the case live, and how often they say so.
const (
	geeRPCTTL      = 10 * time.Second
	geeRPCInterval = time.Second
)

// TestGeeRPC has programs announce themselves over the bridge and call each other,
// while pods and Eureka clients share their registry.
func TestGeeRPC(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	kubeconfig := installChart(t, namespace, "namespaces={"+namespace+"}").kubeconfig(t, "")
	start := func(args ...string) *program {
		return startProgram(t, kubeconfig, append(args, "--namespaces="+namespace, "--bridge=geerpc", "--geerpc-ttl="+geeRPCTTL.String())...)
	}
	program := start()
	program.expectReady(t)
	demo, err := binaries.Demo(t.Context(), "geerpc")
	if err != nil {
		t.Fatal(err)
	}
	fleet := geeRPC{demo: demo, registry: program.base + "/_geerpc_/registry"}
	fleet.wantServers(t, soon)

	first, second, third := fleet.serve(t, "127.0.0.1:0"), fleet.serve(t, "127.0.0.1:0"), fleet.serve(t, ":0")
	fleet.wantServers(t, soon, first.name, second.name, third.name)
	program.expectGeeRPC(t, first, second, third)
	fleet.wantCalls(t, "round-robin", 9, map[string]int{first.name: 3, second.name: 3, third.name: 3})
	fleet.wantAllCalled(t, "random", 60, first, second, third)

	// One that is killed cannot say goodbye. The others stay.
	if err := second.Kill(); err != nil {
		t.Fatal(err)
	}
	fleet.wantServers(t, geeRPCTTL+soon, first.name, third.name)
	fleet.wantCalls(t, "round-robin", 4, map[string]int{first.name: 2, third.name: 2})

	// The registry restarts and knows nothing. Heartbeats went on.
	if err := program.Kill(); err != nil {
		t.Fatal(err)
	}
	start("--listen=" + strings.TrimPrefix(program.base, "http://"))
	fleet.wantServers(t, 2*soon, first.name, third.name)

	// Pods that ask for it are in the list, as long as they are ready.
	pod := newPod("orders-1", "orders")
	pod.Annotations = map[string]string{"eurekube.io/geerpc": "tcp"}
	createReady(t, namespace, "orders-2", "orders")
	created := create(t, namespace, pod, readyStatus(newAddress()))
	fleet.wantServers(t, soon, first.name, third.name, "tcp@"+created.Status.PodIP+":8080")
	setStatus(t, namespace, "orders-1", notReadyStatus(created.Status.PodIP))
	fleet.wantServers(t, soon, first.name, third.name)
}

// geeRPC is the demo program and the registry that it is run at.
type geeRPC struct {
	demo, registry string
}

// rpcServer is a running server and what it announces.
type rpcServer struct {
	*process.Process
	name string
}

// serve starts a server and returns when it has a name.
func (g geeRPC) serve(t *testing.T, listen string) rpcServer {
	t.Helper()
	log := filepath.Join(t.TempDir(), "geerpc.log")
	child, err := process.Start("geerpc", log, g.demo, []string{"serve", "-registry=" + g.registry, "-listen=" + listen, "-interval=" + geeRPCInterval.String()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := child.Kill(); err != nil {
			t.Error(err)
		}
	})
	server := rpcServer{Process: child}
	suite.Eventually(t, soon, func() error {
		text, err := os.ReadFile(log)
		if err != nil {
			return err
		}
		if _, err := fmt.Sscanf(string(text), "serving %s\n", &server.name); err != nil {
			return fmt.Errorf("it says %q: %w", text, err)
		}
		return nil
	})
	return server
}

// list reads the header that GeeRPC clients read.
func (g geeRPC) list(ctx context.Context) ([]string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, g.registry, http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := httpClient.Do(request)
	if err != nil {
		return nil, err
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s = %s", g.registry, response.Status)
	}
	servers := strings.Split(response.Header.Get("X-Geerpc-Servers"), ",")
	return slices.DeleteFunc(servers, func(s string) bool { return s == "" }), nil
}

// wantServers waits until exactly these servers are listed.
func (g geeRPC) wantServers(t *testing.T, within time.Duration, want ...string) {
	t.Helper()
	slices.Sort(want)
	suite.Eventually(t, within, func() error {
		got, err := g.list(t.Context())
		if err == nil && !slices.Equal(got, want) {
			err = fmt.Errorf("servers are %q, want %q", got, want)
		}
		return err
	})
}

// call runs a client and counts the calls of each server.
func (g geeRPC) call(t *testing.T, mode string, times int) map[string]int {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), g.demo, "call", "-registry="+g.registry, "-mode="+mode, fmt.Sprint("-times=", times)).CombinedOutput()
	if err != nil {
		t.Fatalf("geerpc call -mode=%s: %v\n%s", mode, err, output)
	}
	calls := map[string]int{}
	for n, line := range strings.Split(strings.TrimSpace(string(output)), "\n") {
		server, sum, _ := strings.Cut(line, " ")
		if sum != fmt.Sprint(n+1) {
			t.Errorf("call %d of %s is answered %q", n, server, sum)
		}
		calls[server]++
	}
	return calls
}

func (g geeRPC) wantCalls(t *testing.T, mode string, times int, want map[string]int) {
	t.Helper()
	if got := g.call(t, mode, times); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%d calls by %s went to %v, want %v", times, mode, got, want)
	}
}

func (g geeRPC) wantAllCalled(t *testing.T, mode string, times int, servers ...rpcServer) {
	t.Helper()
	got := g.call(t, mode, times)
	for _, server := range servers {
		if got[server.name] == 0 {
			t.Errorf("none of %d calls by %s went to %s: %v", times, mode, server.name, got)
		}
	}
}

// expectGeeRPC wants Eureka clients to see the servers at an address that they can
// call, though one of them does not know any.
func (p *program) expectGeeRPC(t *testing.T, servers ...rpcServer) {
	t.Helper()
	answer, err := p.list(t.Context(), "apps")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, instance := range answer.Instances {
		if instance.App == "GEERPC" {
			got = append(got, fmt.Sprintf("%s %s %s:%d %s", instance.Metadata["protocol"], instance.Status, instance.IPAddr, instance.Port.Number, instance.Metadata["geerpc"]))
		}
	}
	for _, server := range servers {
		want = append(want, "tcp UP 127.0.0.1:"+server.name[strings.LastIndex(server.name, ":")+1:]+" "+server.name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("Eureka clients see %q, want %q", got, want)
	}
}

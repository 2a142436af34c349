package app

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestServe_ManifestsOnAFreePort(t *testing.T) {
	p := launch(t, "--manifests", manifests(t, pod("a", "10.0.0.5", "orders")))
	client := newClient(t)
	resp, body := p.do(client, http.MethodGet, p.clients+"/eureka/apps/ORDERS", asJSON)
	if resp.StatusCode != http.StatusOK || !strings.Contains(body, `"instanceId":"10.0.0.5:orders:8080"`) {
		t.Errorf("GET of the application = %d with %s, want 200 with the pod", resp.StatusCode, body)
	}
	if resp, body = p.do(client, http.MethodGet, p.admin+"/readyz"); resp.StatusCode != http.StatusOK {
		t.Errorf("GET /readyz = %d with %s, want 200", resp.StatusCode, body)
	}
	for _, url := range []string{p.clients + "/readyz", p.clients + "/metrics", p.admin + "/eureka/apps"} {
		if resp, _ := p.do(client, http.MethodGet, url); resp.StatusCode != http.StatusNotFound {
			t.Errorf("GET %s = %d, want 404: it belongs to the other port", url, resp.StatusCode)
		}
	}
}

func TestFieldCase25_EmptyBodiesOnTheWire(t *testing.T) {
	p := launch(t, "--manifests", manifests(t, pod("a", "10.0.0.5", "orders")))
	client := newClient(t)
	tests := []struct {
		method, path string
		code         int
	}{
		{http.MethodGet, "/eureka/apps/GONE", http.StatusNotFound},
		{http.MethodGet, "/eureka/apps/GONE/x", http.StatusNotFound},
		{http.MethodGet, "/eureka/instances/x", http.StatusNotFound},
		{http.MethodPut, "/eureka/apps/GONE/x?status=UP&lastDirtyTimestamp=1", http.StatusNotFound},
		{http.MethodDelete, "/eureka/apps/GONE/x", http.StatusNotFound},
		{http.MethodPut, "/eureka/apps/GONE/x/status?value=DOWN", http.StatusNotFound},
		{http.MethodPut, "/eureka/apps/GONE/x/metadata?k=v", http.StatusNotFound},
		{http.MethodPost, "/eureka/apps", http.StatusMethodNotAllowed},
	}
	for _, tt := range tests {
		resp, body := p.do(client, tt.method, p.clients+tt.path, asJSON)
		if resp.StatusCode != tt.code || body != "" || resp.Header.Get("Content-Length") != "0" || resp.Header.Get("Content-Type") != "" {
			t.Errorf("%s %s = %d, Content-Length %q, Content-Type %q, body %q; want %d, 0 and nothing",
				tt.method, tt.path, resp.StatusCode, resp.Header.Get("Content-Length"), resp.Header.Get("Content-Type"), body, tt.code)
		}
		if allow := resp.Header.Get("Allow"); (allow != "") != (tt.code == http.StatusMethodNotAllowed) {
			t.Errorf("%s %s = %d with Allow %q", tt.method, tt.path, resp.StatusCode, allow)
		}
	}
}

func TestServe_HeadAndGzipOnTheWire(t *testing.T) {
	p := launch(t, "--manifests", manifests(t, pod("a", "10.0.0.5", "orders"), pod("b", "10.0.0.6", "cart")))
	client := newClient(t)
	for _, path := range readPaths[:len(readPaths)-1] { // status tells the time
		plain, text := p.do(client, http.MethodGet, p.clients+path)
		if got, want := plain.Header.Get("Content-Length"), strconv.Itoa(len(text)); got != want || len(plain.TransferEncoding) > 0 {
			t.Errorf("GET %s has Content-Length %q and encoding %q, want %s and none", path, got, plain.TransferEncoding, want)
		}
		head, body := p.do(client, http.MethodHead, p.clients+path)
		if head.StatusCode != http.StatusOK || body != "" || head.Header.Get("Content-Length") != plain.Header.Get("Content-Length") || head.Header.Get("ETag") != plain.Header.Get("ETag") {
			t.Errorf("HEAD %s = %d with %v and %q, want what GET says, with no body", path, head.StatusCode, head.Header, body)
		}
		packed, body := p.do(client, http.MethodGet, p.clients+path, "Accept-Encoding: gzip")
		if packed.Header.Get("Content-Encoding") != "gzip" {
			continue // one application and one instance never are
		}
		unpacker, err := gzip.NewReader(strings.NewReader(body))
		if err != nil {
			t.Fatalf("GET %s: %v", path, err)
		}
		if unpacked, err := io.ReadAll(unpacker); err != nil || string(unpacked) != text {
			t.Errorf("GET %s unpacks to %d bytes, %v; want the %d of the plain answer", path, len(unpacked), err, len(text))
		}
	}
}

func TestServe_ConnectionsAreKept(t *testing.T) {
	p := launch(t, "--manifests", manifests(t))
	client := newClient(t)
	dialled := 0
	client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled++ // one request at a time
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	for _, path := range []string{"/eureka/apps", "/eureka/apps/GONE", "/eureka/apps/delta", "//eureka/apps/"} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut} {
			p.do(client, method, p.clients+path)
		}
	}
	if dialled != 1 {
		t.Errorf("12 requests took %d connections, want 1", dialled)
	}
}

func TestServe_SIGTERMExitsWithZero(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		p := launch(t, "--manifests", manifests(t), "--drain=0s")
		if err := p.command.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if code := p.wait(); code != 0 {
			t.Errorf("exit code %d after %v, want 0", code, sig)
		}
	}
}

// TestServe_EndsWithinTheGracePeriod tells a program to stop that has a request in
// flight on each port which would last a minute. The chart gives a pod 15 s more
// than the drain.
func TestServe_EndsWithinTheGracePeriod(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes 11 s")
	}
	t.Parallel()
	p := launch(t, "--manifests", manifests(t), "--drain=0s", "--header-timeout=1m")
	for base, request := range map[string]string{
		p.clients: "POST /eureka/apps/CART HTTP/1.1\r\nHost: eurekube\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
		p.admin:   "GET /debug/pprof/trace?seconds=60 HTTP/1.1\r\nHost: eurekube\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 1)); err != nil { // a handler is at work
			t.Fatal(err)
		}
	}
	told := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	if took := time.Since(told); took < clientsStopTimeout || took > 15*time.Second {
		t.Errorf("ended %v after the order to stop, want between %v for clients and the 15s of the grace period", took, clientsStopTimeout)
	}
}

func TestFieldCase105_UnreadyFirstAndServingOn(t *testing.T) {
	p := launch(t, "--manifests", manifests(t, pod("a", "10.0.0.5", "orders")), "--drain=1h")
	client := newClient(t)
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.awaitLog(`"Draining"`)
	// The log line comes a moment before readiness turns.
	for {
		resp, body := p.do(client, http.MethodGet, p.admin+"/readyz")
		if resp.StatusCode == http.StatusServiceUnavailable {
			if !strings.Contains(body, "draining") {
				t.Errorf("GET /readyz says %q, want the reason", body)
			}
			break
		}
	}
	resp, body := p.do(client, http.MethodGet, p.clients+"/eureka/apps/ORDERS")
	if resp.StatusCode != http.StatusOK || !strings.Contains(body, "10.0.0.5:orders:8080") || !resp.Close {
		t.Errorf("GET while draining = %d, last on its connection %v, with %s; want 200, true and the pod", resp.StatusCode, resp.Close, body)
	}
	if resp, _ := p.do(client, http.MethodGet, p.admin+"/healthz"); resp.StatusCode != http.StatusOK {
		t.Errorf("GET /healthz while draining = %d, want 200", resp.StatusCode)
	}
}

func TestServe_TakenPortExitsWithOne(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	remedy := ": address already in use: end the program that has it or give another address ("
	free := []string{"serve", "--manifests", t.TempDir(), "--bridge=callback", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0", "--callback-listen=127.0.0.1:0"}
	for flag, variable := range map[string]string{"--listen": "EUREKUBE_LISTEN", "--admin-listen": "EUREKUBE_ADMIN_LISTEN", "--callback-listen": "EUREKUBE_CALLBACK_LISTEN"} {
		code, _, stderr := runMain(t, append(slices.Clone(free), flag, taken.Addr().String()), nil)
		if want := "eurekube: " + flag + "=" + taken.Addr().String() + remedy + variable + ")\n"; code != 1 || stderr != want {
			t.Errorf("with %s taken: exit code %d and %q, want 1 and %q", flag, code, stderr, want)
		}
	}
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	code, _, stderr := runMain(t, []string{"serve", "--manifests", t.TempDir(), "--admin-listen=" + other.Addr().String()}, []string{"EUREKUBE_LISTEN=" + taken.Addr().String()})
	want := "eurekube: EUREKUBE_LISTEN=" + taken.Addr().String() + remedy + "EUREKUBE_LISTEN)\neurekube: --admin-listen=" + other.Addr().String() + remedy + "EUREKUBE_ADMIN_LISTEN)\n"
	if code != 1 || stderr != want {
		t.Errorf("with both ports taken: exit code %d and %q, want 1 and %q", code, stderr, want)
	}
}

// TestListening_Refused has the system refuse an address for each of its reasons.
func TestListening_Refused(t *testing.T) {
	o := parse(t, []string{"--manifests=pods", "--listen=192.0.2.1:80"}, nil)
	tests := []struct {
		name  string
		cause error
		want  string
	}{
		{name: "a port of the system's", cause: syscall.EACCES, want: "permission denied: run with the right to open ports below 1024 or give another address (EUREKUBE_LISTEN)"},
		{name: "an address of another machine", cause: syscall.EADDRNOTAVAIL, want: "cannot assign requested address: it is none of this machine's; give another address (EUREKUBE_LISTEN)"},
		{name: "a host that nobody knows", cause: &net.DNSError{Err: "no such host", Name: "nowhere"}, want: "lookup nowhere: no such host: give another address (EUREKUBE_LISTEN)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cause := tt.cause
			if _, ok := cause.(syscall.Errno); ok {
				cause = os.NewSyscallError("bind", cause)
			}
			err := fmt.Errorf("serve clients: %w", &net.OpError{Op: "listen", Net: "tcp", Err: cause})
			if got := o.refused("listen", err); !errors.Is(got, tt.cause) || got.Error() != "--listen=192.0.2.1:80: "+tt.want {
				t.Errorf("refused() = %v, want %s", got, tt.want)
			}
		})
	}
}

// TestFieldCase65_NoAPIServer has a cluster that never answers: nothing is
// listed, nobody is told an empty list, and the order to stop is still obeyed.
func TestFieldCase65_NoAPIServer(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	p := launchUnsynced(t, "--kubeconfig="+writeKubeconfig(t, "http://"+silent.Addr().String()), "--drain=0s")
	client := newClient(t)
	for _, url := range []string{p.clients + "/eureka/apps", p.clients + "/eureka/apps/delta", p.admin + "/readyz", p.admin + "/pods"} {
		if resp, _ := p.do(client, http.MethodGet, url); resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("GET %s = %d, want 503", url, resp.StatusCode)
		}
	}
	for _, url := range []string{p.admin + "/healthz", p.admin + "/metrics"} {
		if resp, _ := p.do(client, http.MethodGet, url); resp.StatusCode != http.StatusOK {
			t.Errorf("GET %s = %d, want 200", url, resp.StatusCode)
		}
	}
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

func writeKubeconfig(t *testing.T, server string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	text := strings.ReplaceAll(kubeconfig, "https://first.example", server)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

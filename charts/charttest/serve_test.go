package charttest

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// serveDemo starts the server and returns the base URLs of its two ports once
// it is ready. At the end of the test it is told to stop, and must obey.
func serveDemo(t *testing.T) (api, admin string) {
	t.Helper()
	dir := build(t)
	if err := os.CopyFS(filepath.Join(dir, "demo"), os.DirFS(demo)); err != nil {
		t.Fatal(err)
	}
	apiAddress, adminAddress := freeAddress(t), freeAddress(t)
	chosen := container(t, "drain: 1s")
	cmd := inImage(t, dir, chosen.Args...)
	cmd.Env = []string{
		"EUREKUBE_MANIFESTS=/demo", "EUREKUBE_LISTEN=" + apiAddress, "EUREKUBE_ADMIN_LISTEN=" + adminAddress,
	}
	for _, variable := range chosen.Env {
		cmd.Env = append(cmd.Env, variable.Name+"="+variable.Value)
	}
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { stop(t, cmd.Process, ended, &log) })
	waitReady(t, "http://"+adminAddress+"/readyz")
	return "http://" + apiAddress, "http://" + adminAddress
}

// freeAddress is a loopback address that nobody listened on just now.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func waitReady(t *testing.T, url string) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		response, err := http.Get(url)
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-deadline:
			t.Fatalf("%s does not say ok: %v, %v", url, response, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// stop sends SIGTERM, as the kubelet does, and wants an orderly end within the
// grace period that the chart gives.
func stop(t *testing.T, process *os.Process, ended <-chan error, log *bytes.Buffer) {
	if err := process.Signal(syscall.SIGTERM); err != nil {
		t.Errorf("the server ended by itself: %v", err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the server ended with %v after SIGTERM", err)
		}
	case <-time.After(16 * time.Second):
		_ = process.Kill()
		t.Errorf("the server did not end within the grace period: %v", <-ended)
	}
	if t.Failed() {
		t.Logf("log of the server:\n%s", log)
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

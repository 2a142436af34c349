package app

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestServe_StreamOfEvents follows a program's stream from a manifest that comes to
// the order to stop, for longer than a request may take to be read and an answer to
// be written.
func TestServe_StreamOfEvents(t *testing.T) {
	dir := manifests(t, pod("a", "10.0.0.5", "orders"))
	p := launch(t, "--manifests", dir, "--header-timeout=100ms", "--write-timeout=200ms", "--drain=0s")
	client := newClient(t)
	resp, err := client.Get(p.clients + "/eureka/stream?full=true&app=cart&app=orders")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body := bufio.NewReader(resp.Body)
	await := func(event, data string) {
		t.Helper()
		for last := ""; ; {
			line, err := body.ReadString('\n')
			if err != nil {
				t.Fatalf("the stream ended with %v, want %s", err, event)
			}
			if name, ok := strings.CutPrefix(line, "event: "); ok {
				last = strings.TrimSpace(name)
			}
			if strings.HasPrefix(line, "data: ") && last == event {
				if !strings.Contains(line, data) {
					t.Errorf("%s has %s, want %s in it", event, line, data)
				}
				return
			}
		}
	}
	await("reset", `"instanceId":"10.0.0.5:orders:8080"`)
	p.do(client, http.MethodGet, p.clients+"/eureka/apps/delta?wait=500ms") // then the timeouts are over
	writeManifest(t, dir, pod("b", "10.0.0.6", "cart"))
	await("up", `"instanceId":"10.0.0.6:cart:8080"`)
	writeManifest(t, dir, pod("b", "10.0.0.6", "cart", ready(corev1.ConditionFalse)))
	await("down", `"actionType":"DELETED"`)
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(body); err != nil && !errors.Is(err, io.EOF) || strings.Contains(string(rest), "event: reset") {
		t.Errorf("the stream ended with %q, %v; want a clean end", rest, err)
	}
	if code := p.wait(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
}

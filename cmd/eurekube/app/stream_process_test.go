package app

import (
	"bufio"
	"crypto/tls"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// TestServe_StreamOfEvents follows a program's stream from a manifest that comes to
// the order to stop.
func TestServe_StreamOfEvents(t *testing.T) {
	t.Run("HTTP/1.1", func(t *testing.T) {
		dir := manifests(t, pod("a", "10.0.0.5", "orders"))
		p := launch(t, "--drain=0s", "--manifests", dir)
		p.followUntilStopped(newClient(t), p.clients, dir, 1)
	})
	t.Run("HTTP/2", func(t *testing.T) {
		dir := manifests(t, pod("a", "10.0.0.5", "orders"))
		cert, key, roots := selfSigned(t)
		p := launch(t, "--drain=0s", "--manifests", dir, "--tls-cert="+cert, "--tls-key="+key)
		client := newClient(t)
		transport := client.Transport.(*http.Transport)
		transport.TLSClientConfig, transport.ForceAttemptHTTP2 = &tls.Config{RootCAs: roots}, true
		p.followUntilStopped(client, strings.Replace(p.clients, "http:", "https:", 1), dir, 2)
	})
}

func (p *process) followUntilStopped(client *http.Client, url, dir string, major int) {
	p.Helper()
	resp, err := client.Get(url + "/eureka/stream?full=true&app=cart&app=orders")
	if err != nil {
		p.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.ProtoMajor != major {
		p.Fatalf("the stream is on %s, want HTTP/%d", resp.Proto, major)
	}
	body := bufio.NewReader(resp.Body)
	p.awaitEvent(body, "reset", `"instanceId":"10.0.0.5:orders:8080"`)
	writeManifest(p.T, dir, pod("b", "10.0.0.6", "cart"))
	told := p.awaitEvent(body, "up", `"instanceId":"10.0.0.6:cart:8080"`)
	if _, read := p.do(client, http.MethodGet, url+"/eureka/apps/CART/10.0.0.6:cart:8080", asJSON); told != read {
		p.Errorf("the event has %s, want what a read of the instance has: %s", told, read)
	}
	writeManifest(p.T, dir, pod("b", "10.0.0.6", "cart", ready(corev1.ConditionFalse)))
	p.awaitEvent(body, "down", `"actionType":"DELETED"`)
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		p.Fatal(err)
	}
	if rest, err := io.ReadAll(body); err != nil || strings.Contains(string(rest), "reset") {
		p.Errorf("the stream ended with %q, %v; want a clean end", rest, err)
	}
	if code := p.wait(); code != 0 {
		p.Errorf("exit code %d, want 0", code)
	}
}

// awaitEvent reads up to the next event of that name, which must have the text, and
// returns its data.
func (p *process) awaitEvent(body *bufio.Reader, event, text string) (data string) {
	p.Helper()
	for last := ""; ; {
		line, err := body.ReadString('\n')
		if err != nil {
			p.Fatalf("the stream ended with %v, want %s", err, event)
		}
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			last = strings.TrimSpace(name)
		}
		if !strings.HasPrefix(line, "data: ") || last != event {
			continue
		}
		if !strings.Contains(line, text) {
			p.Errorf("%s has %s, want %s in it", event, line, text)
		}
		return strings.TrimSpace(strings.TrimPrefix(line, "data: "))
	}
}

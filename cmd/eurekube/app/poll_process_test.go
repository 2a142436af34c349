package app

import (
	"net/http"
	"net/http/httptrace"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestServe_LongPollOutlastsTheTimeouts waits longer than a request may take to be
// read and an answer to be written.
func TestServe_LongPollOutlastsTheTimeouts(t *testing.T) {
	p := launch(t, "--manifests", manifests(t), "--header-timeout=100ms", "--write-timeout=200ms")
	client := newClient(t)
	start := time.Now()
	resp, _ := p.do(client, http.MethodGet, p.clients+"/eureka/apps/delta?wait=700ms")
	if took := time.Since(start); resp.StatusCode != http.StatusOK || took < 700*time.Millisecond {
		t.Errorf("answer = %d after %v, want 200 after 700ms", resp.StatusCode, took)
	}
}

// TestServe_LongPollSeesAChange is the whole way from a manifest to the answer.
func TestServe_LongPollSeesAChange(t *testing.T) {
	dir := manifests(t, pod("a", "10.0.0.5", "orders"))
	p := launch(t, "--manifests", dir)
	client := newClient(t)
	resp, _ := p.do(client, http.MethodGet, p.clients+"/eureka/apps")
	writeManifest(t, dir, pod("b", "10.0.0.6", "cart"))
	resp, body := p.do(client, http.MethodGet, p.clients+"/eureka/apps/delta?wait=60s&since="+resp.Header.Get("Eurekube-Token"), asJSON)
	if resp.StatusCode != http.StatusOK || !strings.Contains(body, `"instanceId":"10.0.0.6:cart:8080"`) {
		t.Errorf("answer = %d with %s, want 200 with the new pod", resp.StatusCode, body)
	}
}

// TestServe_StopAnswersLongPolls tells a program to stop for which a client waits.
func TestServe_StopAnswersLongPolls(t *testing.T) {
	p := launch(t, "--manifests", manifests(t), "--drain=1s") // until then the request is surely there
	sent, answered := make(chan struct{}), make(chan struct{})
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { close(sent) }})
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.clients+"/eureka/apps/delta?wait=60s", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	client := newClient(t)
	go func() {
		defer close(answered)
		answer, err := client.Do(request)
		if err != nil {
			t.Errorf("the poll ended with %v, want an answer", err)
			return
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK || !answer.Close {
			t.Errorf("answer = %d, last on its connection %v; want 200 and true", answer.StatusCode, answer.Close)
		}
	}()
	<-sent
	told := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-answered
	if code := p.wait(); code != 0 || time.Since(told) > clientsStopTimeout {
		t.Errorf("exit code %d after %v, want 0 before requests are cut off", code, time.Since(told))
	}
}

package app

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

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
	p := launch(t, "--manifests", manifests(t), "--drain=0s")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.clients+"/eureka/apps/delta?wait=60s", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	client, answered := newClient(t), make(chan struct{})
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
	p.awaitGoroutine("eureka/api.(*API).await(")
	told := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-answered
	if code := p.wait(); code != 0 || time.Since(told) > clientsStopTimeout {
		t.Errorf("exit code %d after %v, want 0 before requests are cut off", code, time.Since(told))
	}
}

// awaitGoroutine returns when the program is in a function, which says that a
// request has arrived that is not answered yet.
func (p *process) awaitGoroutine(function string) {
	p.Helper()
	client := newClient(p.T)
	for text := ""; !strings.Contains(text, function); {
		_, text = p.do(client, http.MethodGet, p.admin+"/debug/pprof/goroutine?debug=2")
	}
}

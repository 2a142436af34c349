package api

import (
	"bufio"
	"io"
	"net/http"
	"testing"
)

// trickle answers a line, and another one when the client has read the first.
type trickle chan struct{}

func (c trickle) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for _, line := range []string{"one\n", "two\n"} {
		_, _ = io.WriteString(w, line)
		if err := http.NewResponseController(w).Flush(); err != nil {
			panic(err)
		}
		<-c
	}
}

func TestStreamIsNotHeldBack(t *testing.T) {
	lines := make(trickle)
	s := run(t, func(_ *server, config *Config) { config.Stream = lines })
	s.listen()
	s.open()
	for _, path := range []string{"/eureka/stream", "/eureka/v2/stream", "/eureka//stream/?app=A"} {
		resp, err := s.client.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		body := bufio.NewReader(resp.Body)
		for _, want := range []string{"one\n", "two\n"} {
			if got, err := body.ReadString('\n'); err != nil || got != want {
				t.Errorf("line of %s = %q, %v; want %q", path, got, err, want)
			}
			lines <- struct{}{}
		}
		if _, err := body.ReadByte(); err != io.EOF {
			t.Errorf("after the lines of %s: %v, want the end", path, err)
		}
		resp.Body.Close()
	}
}

func TestStreamObeysTheRulesOfReads(t *testing.T) {
	s := run(t, func(_ *server, config *Config) {
		config.Stream = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
		config.Users, config.AuthReads = users(t), true
	})
	const path = "/eureka/stream"
	s.listen()
	s.wantEmpty(s.get(path), http.StatusUnauthorized)
	const user = "Authorization: Basic cGxhaW46cGFzczp3b3Jk" // plain:pass:word
	s.wantEmpty(s.get(path, user), http.StatusServiceUnavailable)
	s.open()
	s.want(s.get(path, user), http.StatusOK)
	s.want(s.get(path, user, "Accept: application/xml"), http.StatusOK)
	s.want(s.do(http.MethodHead, path, user), http.StatusOK)
	a := s.do(http.MethodPost, path, user)
	s.wantEmpty(a, http.StatusMethodNotAllowed)
	if got := a.Header.Get("Allow"); got != "GET, HEAD, OPTIONS" {
		t.Errorf("Allow = %q", got)
	}
	if a := start(t).get(path); a.StatusCode != http.StatusNotFound {
		t.Errorf("answer without streams = %d, want 404", a.StatusCode)
	}
}

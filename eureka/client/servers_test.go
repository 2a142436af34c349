package client_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eurekube/eurekube/eureka/client"
)

// listen serves h on a loopback port, and is its service URL.
func listen(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/eureka/"
}

func TestServiceURLs(t *testing.T) {
	tests := []struct {
		name string
		urls []string
		want string // of the error, "" for none
	}{
		{"one", []string{"http://a:8761/eureka/"}, ""},
		{"no slash, credentials, several", []string{"https://u:p@a/eureka", "http://b"}, ""},
		{"IPv6", []string{"http://[::1]:8761/eureka/"}, ""},
		{"none", nil, "no service URL"},
		{"no scheme", []string{"http://a", "a:8761/eureka"}, "service URL 2: does not begin with http:// or https://"},
		{"address without a scheme", []string{"127.0.0.1:8761/eureka"}, "service URL 1: does not begin with http:// or https://"},
		{"name without a scheme", []string{"eurekube/eureka"}, "service URL 1: does not begin with http:// or https://"},
		{"other scheme", []string{"ftp://a/eureka"}, "service URL 1: does not begin with http:// or https://"},
		{"scheme in capitals", []string{"HTTP://a/eureka"}, ""},
		{"no host", []string{"http:///eureka"}, "service URL 1: has no host"},
		{"query", []string{"http://a/eureka?x=1"}, "service URL 1: has a query or a fragment"},
		{"password in what is no URL", []string{"http://user:secret%zz@a/"}, "service URL 1: is no URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := client.NewServers(client.Config{ServiceURLs: tt.urls})
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("NewServers(%q) = %q, want %q", tt.urls, got, tt.want)
			}
		})
	}
}

func TestCredentials(t *testing.T) {
	tests := []struct {
		name, url, username, password string
		want                          string // USER:PASSWORD as the server reads them
	}{
		{"none", "http://a/eureka/", "", "", ""},
		{"in the URL", "http://u:p%40w@a/eureka/", "", "", "u:p@w"},
		{"for all", "http://a/eureka/", "u", "p", "u:p"},
		{"the URL's own win", "http://u:p@a/eureka/", "x", "y", "u:p"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var mu sync.Mutex
				got := map[string]bool{}
				n := newNetwork()
				n.serve("a", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					username, password, _ := r.BasicAuth()
					mu.Lock()
					defer mu.Unlock()
					got[strings.Trim(username+":"+password, ":")] = true
					if r.Method == http.MethodPost {
						w.WriteHeader(http.StatusNoContent)
						return
					}
					list("t", "", instance("ORDERS", "1"))(w, r)
				}))
				s, err := client.NewServers(client.Config{ServiceURLs: []string{tt.url}, Username: tt.username, Password: tt.password, HTTPClient: n.client()})
				if err != nil {
					t.Fatal(err)
				}
				discover(t, s, client.DiscoveryConfig{})
				_, stop := register(t, s)
				time.Sleep(2 * time.Minute)
				_ = stop()
				mu.Lock()
				defer mu.Unlock()
				if diff := cmp.Diff(map[string]bool{tt.want: true}, got); diff != "" {
					t.Errorf("credentials of %q (-want +got):\n%s", n.log(), diff)
				}
			})
		})
	}
}

// TestConnectionsEndWithTheRun holds for a transport of the client's own, whose idle
// connections keep goroutines.
func TestConnectionsEndWithTheRun(t *testing.T) {
	registered := make(chan struct{})
	url := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			defer close(registered)
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	before := goleak.IgnoreCurrent()
	s, err := client.NewServers(client.Config{ServiceURLs: []string{url}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := client.NewRegistration(s, &mine)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	<-registered
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
	goleak.VerifyNone(t, before)
}

// TestCredentialsAreNeverTold looks through everything that is logged of a bad day.
func TestCredentialsAreNeverTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const secret = "s3cret"
		var log syncBuffer
		n := newNetwork()
		s, err := client.NewServers(client.Config{ServiceURLs: []string{"http://user:" + secret + "@a/eureka/"}, HTTPClient: n.client()})
		if err != nil {
			t.Fatal(err)
		}
		logger := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(&log), textlogger.Verbosity(9)))
		ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), logger))
		d := client.NewDiscovery(s, client.DiscoveryConfig{})
		r, err := client.NewRegistration(s, &mine)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error)
		for _, run := range []func(context.Context) error{d.Run, r.Run} {
			go func() { done <- run(ctx) }()
		}
		for _, h := range []http.Handler{nil, answer(401), answer(400), http.RedirectHandler("http://user:"+secret+"@b/", http.StatusFound), list("", ""), plain(startEurekube(t))} {
			n.serve("a", h)
			time.Sleep(5 * time.Minute)
		}
		n.serve("a", nil)
		cancel()
		for range 2 {
			if err := <-done; err != nil {
				_, _ = log.Write([]byte(err.Error()))
			}
		}
		if text := log.String(); strings.Contains(text, secret) || !strings.Contains(text, "Registered") {
			t.Errorf("the password is in the log, or nothing is:\n%s", text)
		}
	})
}

// syncBuffer is a buffer that many goroutines may write.
type syncBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

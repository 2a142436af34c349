package geerpc_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/eureka/client/geerpc"
)

// pass lets time pass, and what it wakes come to rest.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// beating runs a heartbeat in a bubble and hands over its registry and its log.
func beating(t *testing.T, interval time.Duration, test func(r *fakeRegistry, log func() []string)) {
	synctest.Test(t, func(t *testing.T) {
		began = time.Now()
		r := &fakeRegistry{}
		logger := ktesting.NewLogger(ktesting.NopTL{}, ktesting.NewConfig(ktesting.BufferLogs(true)))
		ctx, cancel := context.WithCancel(klog.NewContext(context.Background(), logger))
		done := make(chan error)
		go func() { done <- geerpc.HeartbeatThrough(ctx, r, "tcp@a:1", interval) }()
		synctest.Wait()
		test(r, func() (messages []string) {
			for _, entry := range logger.GetSink().(ktesting.Underlier).GetBuffer().Data() {
				messages = append(messages, entry.Message)
			}
			return messages
		})
		cancel()
		ended := time.Now()
		if err := <-done; err != nil || time.Since(ended) > 0 {
			t.Errorf("Heartbeat() = %v, %v after its context ended, want nil at once", err, time.Since(ended))
		}
		sent := len(r.sent())
		pass(time.Hour)
		if len(r.sent()) != sent {
			t.Error("a heartbeat was sent after the end")
		}
	})
}

func TestHeartbeatIsSentEveryInterval(t *testing.T) {
	tests := []struct{ name, interval, until, want string }{
		{name: "default", interval: "0s", until: "9m", want: "0s 4m0s 8m0s"},
		{name: "another", interval: "10s", until: "35s", want: "0s 10s 20s 30s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			beating(t, parse(t, tt.interval), func(r *fakeRegistry, log func() []string) {
				pass(parse(t, tt.until))
				var at []string
				for _, b := range r.sent() {
					at = append(at, b.at.String())
					if b.server != "tcp@a:1" {
						t.Errorf("the heartbeat is of %q, want tcp@a:1", b.server)
					}
				}
				if got := strings.Join(at, " "); got != tt.want || len(log()) > 0 {
					t.Errorf("heartbeats at %s, log %q; want %s and nothing", got, log(), tt.want)
				}
			})
		})
	}
}

func parse(t *testing.T, text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestHeartbeatGoesOnAfterAnError is what GeeRPC's own does not.
func TestHeartbeatGoesOnAfterAnError(t *testing.T) {
	beating(t, 0, func(r *fakeRegistry, log func() []string) {
		r.set("", true)
		pass(4*time.Minute + 55*time.Second)
		tries := r.sent()[1:]
		if len(tries) < 4 || tries[1].at-tries[0].at > time.Second {
			t.Errorf("tries at %v; want several within a server's last minute, the first after a second at most", tries)
		}
		pass(time.Hour)
		sent := r.sent()
		if len(sent) < 100 {
			t.Errorf("%d heartbeats in an hour of outage, want more than a hundred", len(sent))
			return
		}
		late, pauses := sent[20:], map[time.Duration]bool{}
		for i := range len(late) - 1 {
			if pause := late[i+1].at - late[i].at; pause < 15*time.Second || pause > 30*time.Second {
				t.Errorf("a pause of %s an hour into the outage, want 15 to 30 s", pause)
			}
			pauses[late[i+1].at-late[i].at] = true
		}
		if len(pauses) < len(late)/2 {
			t.Errorf("%d pauses of %d differ, want that servers do not come back all at once", len(pauses), len(late))
		}
		r.set("", false)
		pass(30 * time.Second)
		back := len(r.sent())
		pass(3 * time.Minute)
		if len(r.sent()) != back {
			t.Errorf("%d heartbeats in the three minutes after one came through, want none", len(r.sent())-back)
		}
		pass(time.Minute)
		if len(r.sent()) != back+1 {
			t.Errorf("%d heartbeats in the four minutes after one came through, want one", len(r.sent())-back)
		}
		if diff := cmp.Diff([]string{"Heartbeat failed", "Heartbeat came through again"}, log()); diff != "" {
			t.Errorf("log (-want +got):\n%s", diff)
		}
	})
}

// TestHeartbeatThatTheEndCutsIsNoFailure has the context end while the registry does
// not answer.
func TestHeartbeatThatTheEndCutsIsNoFailure(t *testing.T) {
	logger := ktesting.NewLogger(ktesting.NopTL{}, ktesting.NewConfig(ktesting.BufferLogs(true)))
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), logger))
	err := geerpc.HeartbeatThrough(ctx, roundTrip(func(request *http.Request) (*http.Response, error) {
		cancel()
		return hang(request)
	}), "tcp@a:1", 0)
	if log := logger.GetSink().(ktesting.Underlier).GetBuffer().String(); err != nil || log != "" {
		t.Errorf("Heartbeat() = %v, log %q; want nil and nothing", err, log)
	}
}

// TestHeartbeatRetriesWithinShortIntervals has an interval shorter than the longest
// pause between tries.
func TestHeartbeatRetriesWithinShortIntervals(t *testing.T) {
	beating(t, 3*time.Second, func(r *fakeRegistry, _ func() []string) {
		r.set("", true)
		pass(time.Minute)
		tries := r.sent()
		for i := range len(tries) - 1 {
			if pause := tries[i+1].at - tries[i].at; pause > 3*time.Second {
				t.Errorf("a pause of %s between tries, want 3 s at most", pause)
			}
		}
	})
}

// TestHeartbeatOverHTTP sends one to a real server, with the credentials of its
// URL, and is refused until the registry lets it in.
func TestHeartbeatOverHTTP(t *testing.T) {
	requests := make(chan *http.Request)
	codes := make(chan int)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests <- r
		w.WriteHeader(<-codes)
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(klog.NewContext(t.Context(), ktesting.NewLogger(ktesting.NopTL{}, ktesting.NewConfig())))
	done := make(chan error)
	address := strings.Replace(server.URL, "http://", "http://rpc:secret@", 1) + "/_geerpc_/registry"
	go func() { done <- geerpc.Heartbeat(ctx, address, "tcp@[::]:9000", 5*time.Second) }()
	for _, code := range []int{http.StatusForbidden, http.StatusOK} {
		r := <-requests
		user, password, _ := r.BasicAuth()
		got := []string{r.Method, r.URL.Path, r.Header.Get("X-Geerpc-Server"), user, password}
		if diff := cmp.Diff([]string{"POST", "/_geerpc_/registry", "tcp@[::]:9000", "rpc", "secret"}, got); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
		codes <- code
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Heartbeat() = %v, want nil", err)
	}
}

// The URL of a registry may hold a password.
func TestURLsAreNotRepeated(t *testing.T) {
	for _, registry := range []string{"http://[", "http://user:se%cret@host/", "http://user:secret@ho st/", "ftp://user:secret@host/", "user:secret@host/"} {
		err := geerpc.Heartbeat(t.Context(), registry, "tcp@a:1", 0)
		_, read := geerpc.NewDiscovery(registry, 0).Get(t.Context(), geerpc.RandomSelect)
		for _, err := range []error{err, read} {
			if err == nil || strings.Contains(err.Error(), "cret") {
				t.Errorf("with registry %s the error is %v, want one without the password", registry, err)
			}
		}
	}
}

// A redirect turns a POST into a GET, which may well be 200.
func TestRedirectsAreNotFollowed(t *testing.T) {
	followed := make(chan struct{}, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere" {
			followed <- struct{}{}
			return
		}
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	defer server.Close()
	if _, err := geerpc.NewDiscovery(server.URL, 0).GetAll(t.Context()); err == nil {
		t.Error("GetAll() at a redirect = nil, want an error")
	}
	if len(followed) > 0 {
		t.Error("a redirect was followed")
	}
}

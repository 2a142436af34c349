package geerpc_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/eurekube/eurekube/eureka/client/geerpc"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// registry answers with a list and counts what it is asked.
type registry struct {
	*httptest.Server
	list   atomic.Pointer[string] // nil: 503
	asked  atomic.Int64
	bare   atomic.Bool // answers have no list at all
	header atomic.Pointer[http.Header]
}

func newRegistry(t *testing.T, list string) *registry {
	r := &registry{}
	r.list.Store(&list)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.asked.Add(1)
		r.header.Store(&request.Header)
		list := r.list.Load()
		switch {
		case list == nil:
			w.WriteHeader(http.StatusServiceUnavailable)
		case !r.bare.Load():
			w.Header().Set("X-Geerpc-Servers", *list)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *registry) wantAsked(t *testing.T, want int64, when string) {
	t.Helper()
	if got := r.asked.Load(); got != want {
		t.Errorf("%s the registry was asked %d times, want %d", when, got, want)
	}
}

func TestGetAll(t *testing.T) {
	tests := []struct {
		name, list string
		want       []string
	}{
		{"none", "", []string{}},
		{"one", "tcp@a:1", []string{"tcp@a:1"}},
		{"several, with spaces", "tcp@a:1, tcp@b:1 ,,tcp@[::1]:1", []string{"tcp@a:1", "tcp@b:1", "tcp@[::1]:1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := geerpc.NewDiscovery(newRegistry(t, tt.list).URL, 0)
			got, err := d.GetAll(t.Context())
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("GetAll() = %q, %v, want %q", got, err, tt.want)
			}
			for i := range got {
				got[i] = "changed"
			}
			if again, _ := d.GetAll(t.Context()); cmp.Diff(tt.want, again) != "" {
				t.Errorf("GetAll() = %q after the caller changed the first answer, want %q", again, tt.want)
			}
		})
	}
}

func TestGetErrors(t *testing.T) {
	d := updated("tcp@a:1")
	if server, err := d.Get(t.Context(), 7); err == nil {
		t.Errorf("Get of a mode that does not exist = %q, want an error", server)
	}
	d.Update(nil)
	if server, err := d.Get(t.Context(), geerpc.RandomSelect); !errors.Is(err, geerpc.ErrNoServers) {
		t.Errorf("Get from an empty list = %q, %v, want ErrNoServers", server, err)
	}
}

func TestUpdateCountsAsARead(t *testing.T) {
	r := newRegistry(t, "tcp@a:1")
	d := geerpc.NewDiscovery(r.URL, time.Hour)
	mine := []string{"tcp@z:1"}
	d.Update(mine)
	mine[0] = "changed"
	if got, err := d.Get(t.Context(), geerpc.RandomSelect); got != "tcp@z:1" || err != nil {
		t.Errorf("Get() = %q, %v after an update, want tcp@z:1", got, err)
	}
	r.wantAsked(t, 0, "after an update")
}

// An update after a reading that failed is the last word.
func TestUpdateEndsAnError(t *testing.T) {
	d := geerpc.NewDiscoveryThrough(&fakeRegistry{down: true}, time.Hour)
	if err := d.Refresh(t.Context()); err == nil {
		t.Error("Refresh() = nil while the registry is down")
	}
	d.Update([]string{"tcp@a:1"})
	if err := d.Refresh(t.Context()); err != nil {
		t.Errorf("Refresh() = %v after an update, want nil", err)
	}
}

// A connection that stays would hold goroutines after a call, and the way to one of
// several servers behind a name.
func TestConnectionsAreNotKept(t *testing.T) {
	closes := make(chan bool, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		closes <- r.Close
		w.Header().Set("X-Geerpc-Servers", "")
	}))
	defer server.Close()
	if err := geerpc.NewDiscovery(server.URL, 0).Refresh(t.Context()); err != nil || !<-closes {
		t.Errorf("Refresh() = %v over a connection that stays, want nil over one that ends", err)
	}
}

func TestErrors(t *testing.T) {
	t.Run("registry is not ready", func(t *testing.T) {
		r := newRegistry(t, "")
		r.list.Store(nil)
		d := geerpc.NewDiscovery(strings.Replace(r.URL, "http://", "http://rpc:s3cret@", 1), 0)
		_, err := d.Get(t.Context(), geerpc.RandomSelect)
		if err == nil || !strings.Contains(err.Error(), "503") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("Get() = %v, want an error that says 503 and no password", err)
		}
		if user, password, ok := (&http.Request{Header: *r.header.Load()}).BasicAuth(); user != "rpc" || password != "s3cret" || !ok {
			t.Errorf("credentials = %q, %q, %v, want those of the URL", user, password, ok)
		}
	})
	t.Run("something else", func(t *testing.T) {
		r := newRegistry(t, "")
		r.bare.Store(true)
		if _, err := geerpc.NewDiscovery(r.URL, 0).GetAll(t.Context()); err == nil || !strings.Contains(err.Error(), "X-Geerpc-Servers") {
			t.Errorf("GetAll() = %v, want an error that names the header", err)
		}
	})
	t.Run("no URL", func(t *testing.T) {
		if err := geerpc.NewDiscovery("http://[", 0).Refresh(t.Context()); err == nil {
			t.Error("Refresh() = nil, want an error")
		}
	})
	t.Run("over", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		d := geerpc.NewDiscovery(newRegistry(t, "tcp@a:1").URL, 0)
		if _, err := d.Get(ctx, geerpc.RandomSelect); !errors.Is(err, context.Canceled) {
			t.Errorf("Get() = %v, want that its context was canceled", err)
		}
		if got, err := d.Get(t.Context(), geerpc.RandomSelect); got != "tcp@a:1" || err != nil {
			t.Errorf("Get() = %q, %v after another caller went, want tcp@a:1", got, err)
		}
	})
}

// TestManyAtOnce has ten thousand servers and as many callers as find a list that
// has expired.
func TestManyAtOnce(t *testing.T) {
	list := strings.Repeat("tcp@[2001:db8:1234:5678:9abc:def0:1234:5678]:65535,", 10_000)
	r := newRegistry(t, list)
	d := geerpc.NewDiscovery(r.URL, time.Hour)
	var callers sync.WaitGroup
	for n := range 50 {
		callers.Go(func() {
			all, err := d.GetAll(t.Context())
			if len(all) != 10_000 || err != nil {
				t.Errorf("GetAll() has %d servers, %v, want 10000", len(all), err)
			}
			if _, err := d.Get(t.Context(), geerpc.SelectMode(n%2)); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	r.wantAsked(t, 1, "after fifty callers")
}

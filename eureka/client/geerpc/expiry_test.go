package geerpc_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/eureka/client/geerpc"
)

// TestListExpires lets time pass, in which the registry changes and fails. It has
// the list come from memory: time in a bubble stands still while a network is
// waited for.
func TestListExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &fakeRegistry{list: "tcp@a:1"}
		d := geerpc.NewDiscoveryThrough(r, 0)
		want := func(want string, asked int) {
			t.Helper()
			got, err := d.GetAll(t.Context())
			if strings.Join(got, ",") != want || err != nil || r.requests() != asked {
				t.Errorf("GetAll() = %q, %v after %d requests, want %q after %d", got, err, r.requests(), want, asked)
			}
		}
		want("tcp@a:1", 1)
		r.set("tcp@b:1", false)
		time.Sleep(10*time.Second - 1)
		want("tcp@a:1", 1)
		time.Sleep(1)
		want("tcp@b:1", 2)

		r.set("", true)
		time.Sleep(10 * time.Second)
		if err := d.Refresh(t.Context()); err == nil {
			t.Error("Refresh() = nil while the registry is down")
		}
		want("tcp@b:1", 3) // the last list goes on
		time.Sleep(time.Second - 1)
		want("tcp@b:1", 3)
		time.Sleep(1)
		want("tcp@b:1", 4)
		r.set("tcp@c:1", false)
		time.Sleep(time.Second)
		want("tcp@c:1", 5)
	})
}

// TestErrorsAreRemembered has a registry be down that was never read.
func TestErrorsAreRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &fakeRegistry{down: true}
		d := geerpc.NewDiscoveryThrough(r, 0)
		want := func(asked int) {
			t.Helper()
			if got, err := d.Get(t.Context(), geerpc.RandomSelect); err == nil || !strings.Contains(err.Error(), "connection refused") || r.requests() != asked {
				t.Errorf("Get() = %q, %v after %d requests, want that the registry refuses, after %d", got, err, r.requests(), asked)
			}
		}
		want(1)
		want(1)
		time.Sleep(time.Second - 1)
		want(1)
		time.Sleep(1)
		want(2)
	})
}

// A list that counts for less than a second is tried again as soon as it would expire.
func TestShortExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &fakeRegistry{down: true}
		d := geerpc.NewDiscoveryThrough(r, 100*time.Millisecond)
		for range 5 {
			_, _ = d.GetAll(t.Context()) // it fails
			time.Sleep(100 * time.Millisecond)
		}
		if r.requests() != 5 {
			t.Errorf("%d requests in half a second, want 5", r.requests())
		}
	})
}

// A caller that leaves while the list is read leaves no error to others.
func TestCallersThatLeaveSayNothing(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	r := &fakeRegistry{list: "tcp@a:1"}
	d := geerpc.NewDiscoveryThrough(roundTrip(func(request *http.Request) (*http.Response, error) {
		leave()
		return r.RoundTrip(request)
	}), time.Hour)
	if got, err := d.GetAll(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("GetAll() = %q, %v of who left, want that its context was canceled", got, err)
	}
	if got, err := d.Get(t.Context(), geerpc.RandomSelect); got != "tcp@a:1" || err != nil {
		t.Errorf("Get() = %q, %v after another caller left, want tcp@a:1", got, err)
	}
}

// A registry that takes a request and does not answer is given up.
func TestRequestsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := geerpc.NewDiscoveryThrough(roundTrip(hang), time.Hour)
		start := time.Now()
		if err := d.Refresh(t.Context()); err == nil || time.Since(start) != 10*time.Second {
			t.Errorf("Refresh() = %v after %v, want an error after 10s", err, time.Since(start))
		}
	})
}

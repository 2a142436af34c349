package callback

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRun_RegistersAndDeregisters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &registry{}
		s, end := run(t, r)
		for range 100 {
			time.Sleep(3 * time.Second)
			call(s, http.MethodGet, "/heartbeat", "")
		}
		r.expect(t, "0s "+posted)
		if err := end(); err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
		r.expect(t, "300s DELETE http://10.0.0.1:6000")
	})
}

func TestRun_RegistersAgainWhenNoProbeComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &registry{}
		s, end := run(t, r)
		time.Sleep(10 * time.Second)
		call(s, http.MethodGet, "/heartbeat", "")
		time.Sleep(40 * time.Second)
		r.expect(t, "0s "+posted, "25s "+posted, "40s "+posted)
		_ = end()
	})
}

func TestRun_TriesAgainLaterAndLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &registry{answer: func(string) (int, error) { return http.StatusServiceUnavailable, nil }}
		_, end := run(t, r)
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		r.mu.Lock()
		n := len(r.requests)
		pauses, last := map[int]bool{}, 0
		for _, request := range r.requests[n/2:] {
			var at int
			if _, err := fmt.Sscanf(request, "%ds", &at); err != nil {
				t.Error(err)
			}
			pauses[at-last] = true
			last = at
		}
		r.answer = nil
		r.mu.Unlock()
		if len(pauses) < 4 {
			t.Errorf("the pauses between tries are %v, want that programs do not come back all at once", pauses)
		}
		if n < 20 || n > 50 {
			t.Errorf("%d tries in ten minutes, want one in 15 to 30 s at last", n)
		}
		time.Sleep(lastRetry)
		if err := end(); err != nil {
			t.Errorf("Run = %v, want nil once it came through", err)
		}
	})
}

// A registry that takes a POST and does not answer is asked again.
func TestRun_GivesUpWhatIsNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &registry{hangs: true}
		_, end := run(t, r)
		time.Sleep(12 * time.Second)
		synctest.Wait()
		r.mu.Lock()
		n := len(r.requests)
		r.mu.Unlock()
		if n != 2 {
			t.Errorf("%d requests in 12 s, want another one soon after the 10 s that the first has", n)
		}
		_ = end()
	})
}

// A redirect turns a POST into a GET, which may well be 200. What is answered with it
// may be long.
func TestRegister_OverHTTP(t *testing.T) {
	var elsewhere atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere" {
			elsewhere.Store(true)
			return
		}
		user, password, _ := r.BasicAuth()
		got := []string{r.Method, r.URL.Path, r.Header.Get("Content-Type"), user, password}
		if diff := cmp.Diff([]string{"POST", "/services", "application/json", "log", "s3cret"}, got); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(http.StatusFound)
		_, _ = io.WriteString(w, strings.Repeat("x", 1<<20)) // it may not be read to its end
	}))
	defer server.Close()
	s, err := New(Config{
		Registry:     strings.Replace(server.URL, "http://", "http://log:s3cret@", 1) + "/services",
		Registration: Registration{ServiceName: "Log", ServiceURL: "http://10.0.0.1:6000"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	if err := s.register(t.Context()); err == nil || len(err.Error()) > 2<<10 || elsewhere.Load() {
		t.Errorf("register at a redirect = %.100v, want a short error and that it is not followed", err)
	}
}

func TestRun_EndsInTime(t *testing.T) {
	tests := []struct {
		name string
		r    *registry
		want string // of the error
	}{
		{name: "the registry hangs from the start", r: &registry{hangs: true}},
		{name: "it never registered", r: &registry{answer: func(string) (int, error) { return http.StatusBadRequest, nil }}},
		{
			name: "the DELETE is refused",
			r: &registry{answer: func(method string) (int, error) {
				if method == http.MethodDelete {
					return http.StatusForbidden, nil
				}
				return http.StatusOK, nil
			}},
			want: "DELETE to the registry: Forbidden: because",
		},
		{
			name: "the registry is away at the end",
			r: &registry{answer: func(method string) (int, error) {
				if method == http.MethodDelete {
					return 0, errors.New("connection refused")
				}
				return http.StatusOK, nil
			}},
			want: "DELETE to the registry: connection refused",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, end := run(t, tt.r)
				start := time.Now()
				err := end()
				if fmt.Sprint(err) != tt.want && (tt.want != "" || err != nil) {
					t.Errorf("Run = %v, want %q", err, tt.want)
				}
				if took := time.Since(start); took > 2*time.Second {
					t.Errorf("it took %s to end, want 2s at most", took)
				}
				// A registration that was not answered may have come through.
				if last := tt.r.requests[len(tt.r.requests)-1]; !strings.HasSuffix(last, " DELETE http://10.0.0.1:6000") {
					t.Errorf("the last request is %q, want the DELETE", last)
				}
			})
		})
	}
}

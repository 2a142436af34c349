package callback

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// registry is the other side, in memory: it notes what it is sent and answers as it
// is told to.
type registry struct {
	mu       sync.Mutex // guards all below
	requests []string   // since the test began: the second, the method and the body
	began    time.Time
	answer   func(method string) (status int, err error)
	hangs    bool
}

// RoundTrip implements http.RoundTripper.
func (r *registry) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.requests = append(r.requests, fmt.Sprintf("%.0fs %s %s", time.Since(r.began).Seconds(), request.Method, body))
	answer, hangs := r.answer, r.hangs
	r.mu.Unlock()
	if hangs {
		<-request.Context().Done()
		return nil, request.Context().Err()
	}
	status, err := http.StatusOK, error(nil)
	if answer != nil {
		status, err = answer(request.Method)
	}
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(strings.NewReader("because"))}, nil
}

func (r *registry) expect(t *testing.T, want ...string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if diff := cmp.Diff(want, r.requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	r.requests = nil
}

const posted = `POST {"ServiceName":"Grades","ServiceURL":"http://10.0.0.1:6000","RequiredServices":["Log"],` +
	`"ServiceUpdateURl":"http://10.0.0.1:6000/services","HeartbeatURL":"http://10.0.0.1:6000/heartbeat"}`

// run runs a service against r in a bubble; end ends its context and returns what
// Run returned.
func run(t *testing.T, r *registry) (s *Service, end func() error) {
	t.Helper()
	r.began = time.Now()
	s, err := New(Config{
		Registry:     "http://eurekube:3000/services",
		Registration: Registration{ServiceName: "Grades", ServiceURL: "http://10.0.0.1:6000", RequiredServices: []string{"Log"}},
		Client:       &http.Client{Transport: r},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	synctest.Wait()
	return s, func() error {
		cancel()
		return <-done
	}
}

// call is a request of the registry.
func call(s *Service, method, path, body string) int {
	answer := httptest.NewRecorder()
	s.Handler().ServeHTTP(answer, httptest.NewRequest(method, path, strings.NewReader(body)))
	return answer.Code
}

func TestProviders_FollowWhatTheRegistryTells(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &registry{}
		s, end := run(t, r)
		if _, err := s.GetProvider("Log"); !errors.Is(err, ErrNoProvider) {
			t.Errorf("GetProvider before anything is told: %v, want ErrNoProvider", err)
		}
		steps := []struct {
			body   string
			status int
			want   []string
		}{
			{body: `{"Added":[{"Name":"Log","URL":"http://a"},{"Name":"log","URL":"http://b"}],"Removed":[]}`, status: 200, want: []string{"http://a", "http://b"}},
			{body: `{"Added":[{"Name":"Log","URL":"http://a"}],"Removed":null}`, status: 200, want: []string{"http://a", "http://b"}},
			{body: `{"Added":[{"Name":"Log","URL":"http://c"}],"Removed":[{"Name":"Log","URL":"http://a"},{"Name":"Other","URL":"http://b"}]}`, status: 200, want: []string{"http://b", "http://c"}},
			{body: `nonsense`, status: 400, want: []string{"http://b", "http://c"}},
			{body: `{"Removed":[{"Name":"LOG","URL":"http://b"}]}`, status: 200, want: []string{"http://c"}},
		}
		for _, step := range steps {
			if status := call(s, http.MethodPost, "/services", step.body); status != step.status {
				t.Errorf("%s = %d, want %d", step.body, status, step.status)
			}
			if diff := cmp.Diff(step.want, s.Providers("lOG")); diff != "" {
				t.Errorf("providers after %s (-want +got):\n%s", step.body, diff)
			}
		}
		if url, err := s.GetProvider("log"); url != "http://c" || err != nil {
			t.Errorf("GetProvider = %q, %v, want http://c", url, err)
		}
		_ = end()
	})
}

func TestGetProvider_ChoosesAtRandom(t *testing.T) {
	s := &Service{}
	s.providers.apply(patch{Added: []struct{ Name, URL string }{{"Log", "http://a"}, {"Log", "http://b"}, {"Log", "http://c"}}})
	seen, followed, last := map[string]int{}, map[string]bool{}, ""
	for range 3000 {
		url, err := s.GetProvider("Log")
		if err != nil {
			t.Fatal(err)
		}
		seen[url]++
		followed[last+" "+url] = true
		last = url
	}
	if len(followed) != 9+1 { // the first follows nothing
		t.Errorf("%d of nine pairs follow each other, want all: chance knows no turns", len(followed)-1)
	}
	for _, url := range []string{"http://a", "http://b", "http://c"} {
		if seen[url] < 800 {
			t.Errorf("%s was chosen %d times of 3000, want a third", url, seen[url])
		}
	}
}

// What went while the registry was away is never told, so a registration begins
// anew with what is told during it.
func TestProviders_BeginAnewWithARegistration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &registry{}
		s, end := run(t, r)
		call(s, http.MethodPost, "/services", `{"Added":[{"Name":"Log","URL":"http://gone"},{"Name":"Log","URL":"http://stays"}]}`)
		r.mu.Lock()
		r.answer = func(string) (int, error) {
			call(s, http.MethodPost, "/services", `{"Added":[{"Name":"Log","URL":"http://stays"},{"Name":"Log","URL":"http://new"},{"Name":"Log","URL":"http://brief"}]}`)
			call(s, http.MethodPost, "/services", `{"Removed":[{"Name":"Log","URL":"http://brief"}]}`)
			return http.StatusOK, nil
		}
		r.mu.Unlock()
		time.Sleep(forgottenAfter + time.Second)
		if diff := cmp.Diff([]string{"http://new", "http://stays"}, s.Providers("Log")); diff != "" {
			t.Errorf("providers (-want +got):\n%s", diff)
		}
		r.mu.Lock()
		r.answer = func(string) (int, error) { return http.StatusBadGateway, nil }
		r.mu.Unlock()
		time.Sleep(time.Minute)
		if n := len(s.Providers("Log")); n != 2 {
			t.Errorf("%d providers while the registry is away, want the 2 known last", n)
		}
		_ = end()
	})
}

func TestHandler_Statuses(t *testing.T) {
	s, err := New(Config{Registry: "http://eurekube:3000/services", Registration: Registration{ServiceName: "Log", ServiceURL: "http:localhost:4000"}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		method, path, body string
		want               int
	}{
		{http.MethodGet, "/heartbeat", "", 200},
		{http.MethodHead, "/heartbeat", "", 200},
		{http.MethodPost, "/heartbeat", "", 405},
		{http.MethodPost, "/services", "{}", 200},
		{http.MethodPost, "/services", strings.Repeat(" ", maxPatch) + "{}", 400},
		{http.MethodGet, "/services", "", 405},
		{http.MethodGet, "/log", "", 404},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.path, func(t *testing.T) {
			answer := httptest.NewRecorder()
			s.Handler().ServeHTTP(answer, httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body)))
			if answer.Code != tt.want {
				t.Errorf("%d, want %d", answer.Code, tt.want)
			}
			if allow := answer.Header().Get("Allow"); (allow != "") != (tt.want == http.StatusMethodNotAllowed) {
				t.Errorf("Allow is %q with %d", allow, answer.Code)
			}
		})
	}
}

func TestNew_Mistakes(t *testing.T) {
	complete := Config{Registry: "http://eurekube:3000/services", Registration: Registration{ServiceName: "Log", ServiceURL: "http://a:1"}}
	tests := []struct {
		name   string
		change func(c *Config)
		want   string
	}{
		{name: "no name", change: func(c *Config) { c.Registration.ServiceName = "" }, want: "needs ServiceName"},
		{name: "no URL", change: func(c *Config) { c.Registration.ServiceURL = "" }, want: "ServiceURL"},
		{name: "no registry", change: func(c *Config) { c.Registry = "" }, want: "named by no URL"},
		{name: "registry without a scheme", change: func(c *Config) { c.Registry = "eurekube:3000" }, want: "named by no URL"},
		{name: "heartbeat by another scheme", change: func(c *Config) { c.Registration.HeartbeatURL = "tcp://a:1" }, want: "HeartbeatURL"},
		{name: "update by another scheme", change: func(c *Config) { c.Registration.ServiceUpdateURL = "a:1/b" }, want: "ServiceUpdateURL"},
		{name: "one path for both", change: func(c *Config) { c.Registration.HeartbeatURL = "http://a:1/services" }, want: "are both /services"},
	}
	s, err := New(complete)
	if err != nil {
		t.Fatal(err)
	}
	if s.registration.RequiredServices == nil {
		t.Error("a program that requires nothing posts null, which some registries do not take")
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := complete
			tt.change(&c)
			if _, err := New(c); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("New = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

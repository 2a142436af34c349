package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

const deltaPath = "/eureka/apps/delta"

// polling is a read of the delta that may wait, in a bubble of fake time.
type polling struct {
	*httptest.ResponseRecorder
	start time.Time
	end   time.Time     // valid when done is closed
	done  chan struct{} // closed by the answer
}

// took is how long the answer took, waits for one that is not there yet.
func (p *polling) took() time.Duration {
	select {
	case <-p.done:
		return p.end.Sub(p.start)
	default:
		return waits
	}
}

// waits is longer than any wait.
const waits = time.Hour

// poll sends a read of the delta.
func (s *server) poll(query string, headers ...string) *polling {
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, deltaPath+"?"+query, http.NoBody)
	for _, h := range append(headers, acceptJSON) {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	p := &polling{ResponseRecorder: httptest.NewRecorder(), start: time.Now(), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		s.api.ServeHTTP(p, r)
		p.end = time.Now()
	}()
	synctest.Wait()
	return p
}

// ids are the instances of the answer.
func (p *polling) ids(t *testing.T) string {
	t.Helper()
	apps, err := codec.DecodeApplications(codec.JSON, p.Body.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, a := range apps.Applications {
		for _, inst := range a.Instances {
			ids = append(ids, inst.ID)
		}
	}
	return strings.Join(ids, " ")
}

// bubble runs test with a server that lists i1, on which three minutes have passed.
func bubble(t *testing.T, test func(t *testing.T, s *server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := run(t, func(s *server, config *Config) { config.Stopping, config.WriteTimeout = s.stopping, time.Minute })
		s.registry.Replace(registry.OwnerPod, "1", registry.Listed(inst("A", "i1")))
		s.open()
		time.Sleep(registry.DeltaWindow + time.Minute)
		synctest.Wait()
		test(t, s)
	})
}

// tell makes instances all that is said of a pod.
func (s *server) tell(key string, instances ...*eureka.Instance) {
	s.change(key, instances...)
	synctest.Wait()
}

func TestEveryListCarriesAToken(t *testing.T) {
	s := start(t, inst("A", "i1"))
	first := s.get("/eureka/apps").Header.Get(tokenHeader)
	if first == "" {
		t.Fatal("a full list has no token")
	}
	for _, path := range []string{"/eureka/apps/delta", "/eureka/v2/apps", "/eureka/v2/apps/delta"} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			if got := s.do(method, path).Header.Get(tokenHeader); got != first {
				t.Errorf("token of %s %s = %q, want %q, as nothing changed", method, path, got, first)
			}
		}
	}
	again := s.get("/eureka/apps", "If-None-Match: "+s.get("/eureka/apps").Header.Get("ETag"))
	if again.StatusCode != http.StatusNotModified || again.Header.Get(tokenHeader) != first {
		t.Errorf("answer without news = %d with token %q, want 304 with %q", again.StatusCode, again.Header.Get(tokenHeader), first)
	}
	s.change("A/i2", inst("A", "i2"))
	if got := s.get("/eureka/apps").Header.Get(tokenHeader); got == first {
		t.Error("the token stayed the same over a change")
	}
}

func TestLongPoll(t *testing.T) {
	tests := []struct {
		name  string
		query func(token string) string
		after time.Duration // until the answer
		ids   string
	}{
		{"no parameters", func(string) string { return "" }, 0, ""},
		{"since alone", func(token string) string { return "since=" + token }, 0, ""},
		{"a wait of nothing", func(token string) string { return "wait=0s&since=" + token }, 0, ""},
		{"a change comes after 10 s", func(token string) string { return "wait=30s&since=" + token }, 10 * time.Second, "i2"},
		{"it comes too late", func(token string) string { return "wait=5s&since=" + token }, 5 * time.Second, ""},
		{"the longest wait", func(token string) string { return "wait=60s&since=" + token }, 10 * time.Second, "i2"},
		{"without a token", func(string) string { return "wait=1m" }, 10 * time.Second, "i2"},
		{"another server's token", func(string) string { return "wait=30s&since=AAAAAAAA-0" }, 0, ""},
		{"a token of the future", func(token string) string { return "wait=30s&since=" + strings.TrimSuffix(token, "0") + "9" }, 0, ""},
		{"the first of two tokens counts", func(token string) string { return "wait=30s&since=" + token + "&since=x" }, 10 * time.Second, "i2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *server) {
				p := s.poll(tt.query(s.publisher.Current().Token().String()))
				time.Sleep(10 * time.Second)
				s.tell("2", inst("A", "i2"))
				if p.took() != tt.after || p.Code != http.StatusOK || p.ids(t) != tt.ids {
					t.Errorf("answer after %v = %d with %q, want after %v 200 with %q", p.took(), p.Code, p.ids(t), tt.after, tt.ids)
				}
				again := s.poll("wait=30s&since=" + p.Header().Get(tokenHeader))
				if current := tt.after == 10*time.Second; (again.took() == waits) != current {
					t.Errorf("the next poll, with the token of the answer, was answered after %v", again.took())
				}
				time.Sleep(time.Minute) // it ends
			})
		})
	}
}

func TestLongPollOfChangesThatWereMissed(t *testing.T) {
	bubble(t, func(t *testing.T, s *server) {
		token := s.publisher.Current().Token().String()
		s.tell("2", inst("A", "i2"))
		time.Sleep(registry.DeltaWindow - time.Second)
		if p := s.poll("wait=30s&since=" + token); p.took() != 0 || p.ids(t) != "i2" {
			t.Errorf("answer after %v = %s, want at once with the change that came before", p.took(), p.Body)
		}
		time.Sleep(time.Minute)
		if p := s.poll("wait=30s&since=" + token); p.took() != 0 || p.ids(t) != "" {
			t.Errorf("answer to a token from before the delta began, after %v = %s; want at once an empty delta", p.took(), p.Body)
		}
	})
}

func TestLongPollConditions(t *testing.T) {
	bubble(t, func(t *testing.T, s *server) {
		first := s.poll("")
		token, match := first.Header().Get(tokenHeader), "If-None-Match: "+first.Header().Get("ETag")
		quiet := s.poll("wait=5s&since="+token, match)
		news := s.poll("wait=30s&since="+token, match)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if quiet.Code != http.StatusNotModified || quiet.Body.Len() > 0 {
			t.Errorf("a wait that nothing ended = %d with %q, want 304", quiet.Code, quiet.Body)
		}
		s.tell("2", inst("A", "i2"))
		if news.Code != http.StatusOK || news.ids(t) != "i2" {
			t.Errorf("a wait that a change ended = %d with %q, want 200", news.Code, news.Body)
		}
	})
}

func TestLongPollRefusesWhatItCannotRead(t *testing.T) {
	s := start(t, inst("A", "i1"))
	for _, query := range []string{"wait=", "wait=30", "wait=-1s", "wait=60.1s", "wait=x", "wait=1h", "wait=%zz", "since=", "since=x", "since=AAAAAAAA", "since=AAAAAAAA-01", "since=%zz", "wait=30s&since=1"} {
		t.Run(query, func(t *testing.T) {
			wrong := "wait"
			if strings.Contains(query, "since") {
				wrong = "since"
			}
			if a := s.get(deltaPath + "?" + query); a.StatusCode != http.StatusBadRequest || !strings.HasPrefix(a.text, wrong+" ") {
				t.Errorf("answer = %d %q, want 400 that names %s", a.StatusCode, a.text, wrong)
			}
		})
	}
}

func TestLongPollsEndWhenTheServerStops(t *testing.T) {
	bubble(t, func(t *testing.T, s *server) {
		var waiting []*polling
		for range 100 {
			waiting = append(waiting, s.poll("wait=30s"))
		}
		time.Sleep(time.Second)
		close(s.stopping)
		synctest.Wait()
		for _, p := range waiting {
			if p.took() != time.Second || p.Code != http.StatusOK {
				t.Fatalf("answer = %d after %v, want 200 as soon as the server stops", p.Code, p.took())
			}
		}
	})
}

func TestLongPollsEndWithTheirClients(t *testing.T) {
	bubble(t, func(t *testing.T, s *server) {
		ctx, leave := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, deltaPath+"?wait=30s", http.NoBody))
		}()
		synctest.Wait()
		left := time.Now()
		leave()
		if <-ended; !time.Now().Equal(left) {
			t.Errorf("the poll ended %v after its client had gone", time.Since(left))
		}
	})
}

func TestLongPollsOfAnUnreadyServer(t *testing.T) {
	if a := startUnready(t).get(deltaPath + "?wait=30s"); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("answer before the first complete list = %d, want 503", a.StatusCode)
	}
}

func TestWaitingIsNoDurationOfARequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		metrics := prometheus.NewPedanticRegistry()
		s := run(t, func(s *server, config *Config) { config.WriteTimeout, config.Registerer = time.Minute, metrics })
		s.open()
		s.poll("wait=30s")
		time.Sleep(time.Minute)
		synctest.Wait()
		families, err := metrics.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if f.GetName() != "eurekube_http_request_duration_seconds" {
				continue
			}
			if h := f.GetMetric()[0].GetHistogram(); h.GetSampleCount() != 1 || h.GetSampleSum() > 1 {
				t.Errorf("%d requests took %v s in all, want 1 and less than the 30 s that it waited", h.GetSampleCount(), h.GetSampleSum())
			}
			return
		}
		t.Error("no request was timed")
	})
}

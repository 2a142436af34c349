package client_test

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// started is a discovery of the only server there is, after a minute.
func started(t *testing.T, s http.Handler, config client.DiscoveryConfig) (*client.Discovery, *network) {
	t.Helper()
	n := newNetwork()
	n.serve("a", s)
	d := discover(t, servers(t, n, "a"), config)
	time.Sleep(time.Minute)
	synctest.Wait()
	return d, n
}

func TestWhatFallsBackToWhat(t *testing.T) {
	one := instance("ORDERS", "1")
	page := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>")
	}
	longPoll := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("since") == "t1" {
			hold(r, 30*time.Second)
		}
		list("t1", "UP_1_")(w, r)
	}
	silent := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		<-r.Context().Done()
	}
	tests := []struct {
		name   string
		server *script
		want   client.Mode
	}{
		{"all there is", &script{full: list("t1", "", one), delta: longPoll, stream: streams(time.Hour)}, client.ModeStream},
		{"stream is the only one with a token", &script{full: list("", "", one), delta: list("", "UP_1_"), stream: streams(time.Hour, reset("t1", one))}, client.ModeStream},
		{"no stream", &script{full: list("t1", "", one), delta: longPoll}, client.ModeLongPoll},
		{"stream is 405", &script{full: list("t1", "", one), delta: longPoll, stream: answer(405)}, client.ModeLongPoll},
		{"stream is 406", &script{full: list("t1", "", one), delta: longPoll, stream: answer(406)}, client.ModeLongPoll},
		{"stream is 503", &script{full: list("t1", "", one), delta: longPoll, stream: answer(503)}, client.ModeLongPoll},
		{"stream is a page", &script{full: list("t1", "", one), delta: longPoll, stream: page}, client.ModeLongPoll},
		{"stream is silent", &script{full: list("t1", "", one), delta: longPoll, stream: silent}, client.ModeLongPoll},
		{"stream has no head", &script{full: list("t1", "", one), delta: longPoll, stream: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }}, client.ModeLongPoll},
		{"stream is cut at once", &script{full: list("t1", "", one), delta: longPoll, stream: streams(time.Second, ping)}, client.ModeLongPoll},
		{"no token", &script{full: list("", "", one), delta: list("", "UP_1_")}, client.ModeDelta},
		{"token is refused", &script{full: list("t1", "", one), delta: func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery != "" {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			list("t1", "UP_1_")(w, r)
		}}, client.ModeDelta},
		{"delta is 403", &script{full: list("", "", one), delta: answer(403)}, client.ModeFull},
		{"delta is 404", &script{full: list("", "", one)}, client.ModeFull},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, n := started(t, tt.server, client.DiscoveryConfig{Interval: 10 * time.Second})
				if got := d.Stats().Mode; got != tt.want {
					t.Errorf("mode after a minute = %s, want %s; requests %q", got, tt.want, n.log())
				}
				if diff := cmp.Diff([]string{"1"}, ids(d.Instances("ORDERS"))); diff != "" {
					t.Errorf("instances (-want +got):\n%s", diff)
				}
				if age := d.Age(); age > 45*time.Second {
					t.Errorf("Age = %v, though the server answers", age)
				}
				if asked := len(n.log()); asked > 30 {
					t.Errorf("%d requests in a minute: %q", asked, n.log())
				}
			})
		})
	}
}

func TestBetterModeIsTriedAgainLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := instance("ORDERS", "1")
		s := &script{full: list("", "", one)}
		d, n := started(t, s, client.DiscoveryConfig{})
		s.set(func(s *script) { s.delta = list("", "UP_1_") })
		time.Sleep(11 * time.Minute)
		if got := d.Stats().Mode; got != client.ModeDelta {
			t.Errorf("mode = %s, want delta now that there is one", got)
		}
		asked := n.count("a GET /eureka/stream")
		if asked > 3 {
			t.Errorf("in 12 minutes the stream was asked for %d times, want once in ten minutes", asked)
		}
		s.set(func(s *script) { s.stream = streams(time.Hour, reset("t1", one)) })
		time.Sleep(11 * time.Minute)
		if got := d.Stats().Mode; got != client.ModeStream {
			t.Errorf("mode = %s, want stream now that there is one", got)
		}
	})
}

func TestLongPollShowsAChangeAsItComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two := instance("ORDERS", "1"), with(instance("ORDERS", "2"), func(i *eureka.Instance) { i.ActionType = eureka.ActionAdded })
		var asked []string
		s := &script{full: list("t1", "", one), delta: func(w http.ResponseWriter, r *http.Request) {
			q := r.URL.Query()
			asked = append(asked, q.Get("since")+" "+q.Get("wait"))
			if q.Get("since") != "t1" {
				hold(r, 30*time.Second)
			} else {
				hold(r, 20*time.Second)
			}
			list("t2", "UP_2_", two)(w, r)
		}}
		n := newNetwork()
		n.serve("a", s)
		d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
		time.Sleep(20*time.Second + time.Millisecond)
		synctest.Wait()
		if diff := cmp.Diff([]string{"1", "2"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("instances (-want +got):\n%s", diff)
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if diff := cmp.Diff([]string{"t1 30s", "t2 30s"}, asked); diff != "" {
			t.Errorf("token and wait (-want +got):\n%s", diff)
		}
	})
}

func TestWrongHashIsMendedByOneFullRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two := instance("ORDERS", "1"), instance("ORDERS", "2")
		s := &script{full: list("", "", one), delta: list("", "UP_1_")}
		n := newNetwork()
		n.serve("a", s)
		d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
		synctest.Wait()
		s.set(func(s *script) { s.full, s.delta = list("", "", one, two), list("", "UP_2_") }) // the delta has lost it
		time.Sleep(61 * time.Second)
		if diff := cmp.Diff([]string{"1", "2"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("instances (-want +got):\n%s", diff)
		}
		if got := d.Stats(); got.HashMismatches != 1 || got.FullReads != 2 || got.Failures != 0 {
			t.Errorf("Stats = %+v, want one mismatch and one full read for it", got)
		}
	})
}

// TestHashThatIsNeverRight is a server of several whose answers do not go together:
// a full read an interval at most, as Java's clients do it, and not one for each
// long poll.
func TestHashThatIsNeverRight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := started(t, &script{full: list("t1", "", instance("ORDERS", "1")), delta: list("t2", "UP_9_")}, client.DiscoveryConfig{})
		time.Sleep(9 * time.Minute)
		if got := d.Stats(); got.FullReads > 25 || got.Mode != client.ModeDelta {
			t.Errorf("Stats = %+v, want a full read for each interval of ten minutes", got)
		}
	})
}

// TestDeltaIsNotTrustedAfterAGap lets a change pass that the delta has forgotten and
// that leaves the hash as it was.
func TestDeltaIsNotTrustedAfterAGap(t *testing.T) {
	tests := []struct {
		name     string
		interval time.Duration
		away     bool
	}{
		{"server was away", 30 * time.Second, true},
		{"seldom asked", 5 * time.Minute, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{full: list("", "", instance("ORDERS", "1")), delta: list("", "UP_1_")}
				d, n := started(t, s, client.DiscoveryConfig{Interval: tt.interval})
				if tt.away {
					n.serve("a", nil)
				}
				time.Sleep(3 * time.Minute)
				s.set(func(s *script) { s.full = list("", "", instance("ORDERS", "2")) })
				if tt.away {
					n.serve("a", s)
				}
				time.Sleep(time.Minute)
				if diff := cmp.Diff([]string{"2"}, ids(d.Instances("ORDERS"))); diff != "" {
					t.Errorf("instances (-want +got):\n%s", diff)
				}
			})
		})
	}
}

package client_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka/client"
)

// moody answers all requests with one status, and notes when they come.
type moody struct {
	mu     sync.Mutex
	status int
	at     []time.Time
}

func (m *moody) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at = append(m.at, time.Now())
	w.WriteHeader(m.status)
}

// gaps are the times between the requests of the next d, while the status is the one
// given. The first is from the last request before, if there was one.
func (m *moody) gaps(status int, d time.Duration) []time.Duration {
	m.mu.Lock()
	m.status, m.at = status, m.at[max(0, len(m.at)-1):]
	m.mu.Unlock()
	time.Sleep(d)
	m.mu.Lock()
	defer m.mu.Unlock()
	var gaps []time.Duration
	for i := 1; i < len(m.at); i++ {
		gaps = append(gaps, m.at[i].Sub(m.at[i-1]))
	}
	return gaps
}

// wantGap wants a gap from least to most.
func wantGap(t *testing.T, what string, gap, least, most time.Duration) {
	t.Helper()
	if gap < least || gap > most {
		t.Errorf("%s after %v, want %v to %v", what, gap, least, most)
	}
}

// wantSpread wants no two clients to keep step: their gaps are random.
func wantSpread(t *testing.T, what string, gaps []time.Duration) {
	t.Helper()
	for _, gap := range gaps {
		if gap != gaps[0] {
			return
		}
	}
	t.Errorf("%s all come after the same time: %v", what, gaps)
}

func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, server := newNetwork(), &moody{status: http.StatusServiceUnavailable}
		n.serve("a", server)
		register(t, servers(t, n, "a"))
		failing := func(what string, gaps []time.Duration) {
			for i, gap := range gaps {
				wait := min(30*time.Second, time.Second<<i)
				wantGap(t, what+" "+strconv.Itoa(i+1), gap, wait/2, wait)
			}
			wantSpread(t, what, gaps[5:])
		}
		failing("try", server.gaps(http.StatusServiceUnavailable, 10*time.Minute))

		well := server.gaps(http.StatusOK, 10*time.Minute)
		wantGap(t, "registration", well[0], 15*time.Second, 30*time.Second)
		for _, gap := range well[1:] {
			wantGap(t, "renewal", gap, 27*time.Second, 30*time.Second)
		}
		wantSpread(t, "renewals", well[1:])

		again := server.gaps(http.StatusServiceUnavailable, 10*time.Minute)
		wantGap(t, "the renewal that fails", again[0], 27*time.Second, 30*time.Second)
		failing("try after it was well", again[1:])
	})
}

func TestRenewalTellsWhichDescriptionItIsOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		n.serve("a", startEurekube(t))
		r, _ := register(t, servers(t, n, "a"))
		time.Sleep(time.Second)
		r.SetMetadata(map[string]string{"zone": "b"})
		time.Sleep(time.Minute)
		log := n.log()
		method, target, _ := strings.Cut(strings.TrimPrefix(log[len(log)-1], "a "), " ")
		u, err := url.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		want := url.Values{"status": {"UP"}, "lastDirtyTimestamp": {strconv.FormatInt(r.Instance().LastDirtyTimestamp, 10)}}
		if diff := cmp.Diff(want, u.Query()); diff != "" || method != http.MethodPut {
			t.Errorf("%s with (-want +got):\n%s", method, diff)
		}
	})
}

func TestThreeServersAreTriedAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		register(t, servers(t, n, "a", "b", "c", "d"))
		synctest.Wait()
		const post = " POST /eureka/apps/ORDERS"
		want := []string{"a" + post, "b" + post, "c" + post}
		if diff := cmp.Diff(want, n.log()); diff != "" {
			t.Errorf("first tries (-want +got):\n%s", diff)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if diff := cmp.Diff(append(want, "d"+post, "a"+post, "b"+post), n.log()); diff != "" {
			t.Errorf("after a second (-want +got):\n%s", diff)
		}
	})
}

// TestClientsSpreadOverServers has a hundred programs that are given the same URLs:
// that all begin with the same server does not happen by chance.
func TestClientsSpreadOverServers(t *testing.T) {
	urls := []string{"http://a/eureka/", "http://b/eureka/"}
	asGiven := 0
	for range 100 {
		s, err := client.NewServers(client.Config{ServiceURLs: urls})
		if err != nil {
			t.Fatal(err)
		}
		if client.InOrder(s, urls) {
			asGiven++
		}
	}
	if asGiven == 0 || asGiven == 100 {
		t.Errorf("%d of 100 programs begin with the first URL, want about half", asGiven)
	}
}

// TestEndingIsNoFaultOfAServer ends a registration while it waits for an answer. The
// next request, the one that deregisters, goes to the same server.
func TestEndingIsNoFaultOfAServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				<-r.Context().Done()
			}
		})
		n.serve("a", slow)
		n.serve("b", slow)
		_, stop := register(t, servers(t, n, "a", "b"))
		synctest.Wait()
		if err := stop(); err != nil {
			t.Errorf("Run = %v, want nil", err)
		}
		if diff := cmp.Diff([]string{"a POST /eureka/apps/ORDERS", "a DELETE /eureka/apps/ORDERS/" + mineID}, n.log()); diff != "" {
			t.Errorf("requests (-want +got):\n%s", diff)
		}
	})
}

package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

// summaries are the attempts in short: what, whom, why, in which status.
func summaries(t *testing.T, attempts []attempt) []string {
	t.Helper()
	var lines []string
	for _, a := range attempts {
		var e Event
		if err := json.Unmarshal([]byte(a.body), &e); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintln(e.Sequence, e.Event, e.Cause, e.InstanceID, e.Status))
	}
	return lines
}

func TestEachChangeIsToldInOrder(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.send(snapshot.Token{}, "https://hooks.example/orders")
		r.list("second", eureka.StatusUp)
		r.list("second", eureka.StatusDown)
		r.list("second", "")
		want := []string{"1 up ready second UP\n", "2 down changed second DOWN\n", "3 down deleted second DOWN\n"}
		if diff := cmp.Diff(want, summaries(t, r.told())); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
		for _, a := range r.told() {
			if err := Verify([]byte("key"), a.signature, []byte(a.body), time.Now(), time.Minute); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestBody(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.send(snapshot.Token{}, "https://hooks.example/orders")
		r.list("second", eureka.StatusUp)
		a := r.told()[0]
		var body map[string]any
		if err := json.Unmarshal([]byte(a.body), &body); err != nil {
			t.Fatal(err)
		}
		instance, _ := body["instance"].(map[string]any)
		got := []any{body["event"], body["cause"], body["app"], body["instanceId"], body["status"], body["sequence"], body["time"], instance["ipAddr"], instance["actionType"]}
		want := []any{"up", "ready", "ORDERS", "second", "UP", 1.0, "2000-01-01T00:00:00Z", "10.0.0.1", "ADDED"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("body (-want +got):\n%s", diff)
		}
		if id, _ := body["id"].(string); id != r.publisher.Current().Token().String() {
			t.Errorf("id = %q, want the place of the change", id)
		}
		if strings.Contains(a.body, "\n") || a.header.Get("Content-Type") != "application/json" {
			t.Errorf("Content-Type %q, body %q, want JSON in one line", a.header.Get("Content-Type"), a.body)
		}
	})
}

func TestFailuresAreTriedAgain(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.answer = func(n int, _ *http.Request) (int, error) {
			return []int{0, 503, 429, 0, 500, 204}[min(n, 5)], map[bool]error{true: errRefused}[n == 3]
		}
		r.send(snapshot.Token{}, "https://hooks.example/orders")
		began := time.Now()
		r.list("second", eureka.StatusUp)
		r.list("third", eureka.StatusUp)
		time.Sleep(time.Minute)
		told := r.told()
		want := []string{"1 up ready second UP\n", "1 up ready second UP\n", "1 up ready second UP\n", "1 up ready second UP\n", "1 up ready second UP\n", "2 up ready third UP\n"}
		if diff := cmp.Diff(want, summaries(t, told)); diff != "" {
			t.Fatalf("told (-want +got):\n%s", diff)
		}
		for i, bounds := range [][2]time.Duration{{0, 0}, {1, 1.25 * 1e9}, {3e9, 3.75 * 1e9}, {7e9, 8.75 * 1e9}, {15e9, 18.75 * 1e9}} {
			if after := told[i].at.Sub(began); after < bounds[0] || after > bounds[1] {
				t.Errorf("attempt %d came after %s, want from %s to %s", i+1, after, bounds[0], bounds[1])
			}
		}
		if told[0].body != told[4].body || told[0].signature == told[4].signature {
			t.Error("want the same body again, signed anew")
		}
	})
}

func TestRefusalsAreNotTriedAgain(t *testing.T) {
	tests := []struct {
		status   int
		location string
	}{{301, "http://elsewhere/"}, {307, "http://elsewhere/"}, {302, "http://else where%zz"}, {303, ""}, {400, ""}, {401, ""}, {404, ""}, {410, ""}}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			inBubble(t, func(r *rig) {
				status := tt.status
				r.location = tt.location
				r.answer = func(n int, _ *http.Request) (int, error) { return status, nil }
				r.send(snapshot.Token{}, "https://hooks.example/orders")
				r.list("second", eureka.StatusUp)
				r.list("third", eureka.StatusUp)
				time.Sleep(time.Hour)
				if got := r.told(); len(got) != 2 || strings.Contains(got[0].url+got[1].url, "elsewhere") {
					t.Errorf("%d attempts %v, want one for each change, at the URL", len(got), got)
				}
				r.expectMetric("eurekube_webhook_dropped_total", map[string]float64{"refused": 2})
			})
		})
	}
}

// TestQueueIsBounded lets a receiver be away while more happens than a queue holds.
func TestQueueIsBounded(t *testing.T) {
	inBubble(t, func(r *rig) {
		away := true
		r.answer = func(int, *http.Request) (int, error) {
			if away {
				return 0, errRefused
			}
			return 204, nil
		}
		r.send(snapshot.Token{}, "https://hooks.example/orders")
		for n := range maxQueue + 5 {
			r.list("second", []eureka.Status{eureka.StatusUp, eureka.StatusDown}[n%2])
		}
		r.mu.Lock()
		away, r.attempts = false, nil
		r.mu.Unlock()
		time.Sleep(2 * longestBackoff)
		told := summaries(t, r.told())
		// The first one was under way, and was not dropped twice.
		if len(told) != maxQueue+1 || !strings.HasPrefix(told[0], "1 ") || !strings.HasPrefix(told[1], "6 ") {
			t.Errorf("%d changes were told: %q…, want the one under way and the latest %d", len(told), told[:2], maxQueue)
		}
	})
}

func TestChangesOfLongAgoAreDropped(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.answer = func(int, *http.Request) (int, error) { return 0, errRefused }
		r.send(snapshot.Token{}, "https://hooks.example/orders")
		r.list("second", eureka.StatusUp)
		time.Sleep(maxAge + 2*longestBackoff)
		n := len(r.told())
		time.Sleep(maxAge)
		if got := len(r.told()); got != n {
			t.Errorf("%d attempts more than an hour after the change, want none", got-n)
		}
	})
}

// TestNextSenderTakesOver has a second sender go on where the first one was seen
// last: what happened in between is told.
func TestNextSenderTakesOver(t *testing.T) {
	inBubble(t, func(r *rig) {
		stop := r.send(snapshot.Token{}, "https://hooks.example/orders")
		r.list("second", eureka.StatusUp)
		stop()
		seen := r.publisher.Current().Token()
		r.list("third", eureka.StatusUp)
		r.metrics = prometheus.NewRegistry() // another server
		r.send(seen, "https://hooks.example/orders")
		r.list("fourth", eureka.StatusUp)
		want := []string{"1 up ready second UP\n", "2 up ready third UP\n", "3 up ready fourth UP\n"}
		if diff := cmp.Diff(want, summaries(t, r.told())); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
	})
}

// TestWhatIsForgottenIsCounted has a sender begin where nothing is known any more.
func TestWhatIsForgottenIsCounted(t *testing.T) {
	inBubble(t, func(r *rig) {
		seen := r.publisher.Current().Token()
		r.list("second", eureka.StatusUp)
		r.list("third", eureka.StatusUp)
		time.Sleep(registry.DeltaWindow + time.Second)
		r.list("fourth", eureka.StatusUp)
		r.send(seen, "https://hooks.example/orders", "https://hooks.example/pager")
		if told := summaries(t, r.told()); len(told) != 2 || told[0] != "3 up ready fourth UP\n" {
			t.Errorf("told %q, want both the latest change", told)
		}
		r.expectMetric("eurekube_webhook_dropped_total", map[string]float64{"too-old": 4})
	})
}

// TestOthersAreTold replaces the URLs while changes wait for them.
func TestOthersAreTold(t *testing.T) {
	inBubble(t, func(r *rig) {
		away := true
		r.answer = func(int, *http.Request) (int, error) {
			if away {
				return 0, errRefused
			}
			return 204, nil
		}
		s, stop := r.sender(snapshot.Token{}, "https://u:old@stays.example/", "https://goes.example/")
		r.list("second", eureka.StatusUp)
		s.Tell(r.urls("https://u:new@stays.example/", "https://comes.example/"))
		synctest.Wait()
		r.expectMetric("eurekube_webhook_dropped_total", map[string]float64{"removed": 1})
		r.list("third", eureka.StatusUp)
		r.mu.Lock()
		away, r.attempts = false, nil
		r.mu.Unlock()
		time.Sleep(time.Minute)
		told := map[string][]string{}
		for _, a := range r.told() {
			told[a.url] = append(told[a.url], summaries(t, []attempt{a})...)
		}
		want := map[string][]string{
			"https://u:new@stays.example/": {"1 up ready second UP\n", "2 up ready third UP\n"},
			"https://comes.example/":       {"2 up ready third UP\n"},
		}
		if diff := cmp.Diff(want, told); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}

		// Whom to tell is remembered by a server that tells nobody now.
		stop()
		s.Tell(r.urls("https://later.example/"))
		r.mu.Lock()
		r.attempts = nil
		r.mu.Unlock()
		r.start(func(ctx context.Context) error { return s.Run(ctx, snapshot.Token{}) })
		synctest.Wait()
		r.list("fourth", eureka.StatusUp)
		if got := r.told(); len(got) != 1 || got[0].url != "https://later.example/" {
			t.Errorf("%d attempts %v, want one at the new URL", len(got), got)
		}
	})
}

// TestOneReceiverDoesNotHoldUpAnother has one that never answers.
func TestOneReceiverDoesNotHoldUpAnother(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.answer = func(_ int, request *http.Request) (int, error) {
			if request.URL.Host == "slow.example" {
				<-request.Context().Done()
				return 0, request.Context().Err()
			}
			return 204, nil
		}
		r.send(snapshot.Token{}, "https://slow.example/", "https://quick.example/")
		for n := range 3 {
			r.list(fmt.Sprint(n), eureka.StatusUp)
		}
		count := map[string]int{}
		for _, a := range r.told() {
			count[a.url]++
		}
		if diff := cmp.Diff(map[string]int{"https://slow.example/": 1, "https://quick.example/": 3}, count); diff != "" {
			t.Errorf("attempts (-want +got):\n%s", diff)
		}
	})
}

// TestCredentialsOfAURL are sent, and only to that URL.
func TestCredentialsOfAURL(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.send(snapshot.Token{}, "https://user:pass%3Aword@hooks.example/", "https://token@other.example/", "https://none.example/")
		r.list("second", eureka.StatusUp)
		got := map[string]string{}
		for _, a := range r.told() {
			user, password, _ := (&http.Request{Header: a.header}).BasicAuth()
			got[a.host] = user + " " + password
		}
		if diff := cmp.Diff(map[string]string{"hooks.example": "user pass:word", "other.example": "token ", "none.example": " "}, got); diff != "" {
			t.Errorf("credentials (-want +got):\n%s", diff)
		}
	})
}

// TestAnAttemptEnds has a receiver answer too late, which the log says.
func TestAnAttemptEnds(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.answer = func(n int, request *http.Request) (int, error) {
			if n == 1 {
				<-request.Context().Done()
				return 0, request.Context().Err()
			}
			return 204, nil
		}
		r.send(snapshot.Token{}, "https://hooks.example/")
		began := time.Now()
		r.list("second", eureka.StatusUp)
		time.Sleep(time.Minute)
		told := r.told()
		if len(told) != 2 {
			t.Fatalf("%d attempts, want a second one", len(told))
		}
		if after := told[1].at.Sub(began); after < attemptTimeout+firstBackoff || after > attemptTimeout+2*firstBackoff {
			t.Errorf("the second attempt came after %v, want it after %v and a pause", after, attemptTimeout)
		}
		if log := r.logger.GetSink().(ktesting.Underlier).GetBuffer().String(); !strings.Contains(log, errTimeout.Error()) {
			t.Errorf("log = %s, want that there was no answer", log)
		}
	})
}

// TestSecretsStayOutOfTheLog looks for what is in the URL behind the host.
func TestSecretsStayOutOfTheLog(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.answer = func(n int, _ *http.Request) (int, error) { return 204, map[bool]error{true: errRefused}[n == 1] }
		r.send(snapshot.Token{}, "https://user:s3cret@hooks.example/t0ken?key=s3cret")
		r.list("second", eureka.StatusUp)
		time.Sleep(time.Minute)
		r.told()
		log := r.logger.GetSink().(ktesting.Underlier).GetBuffer().String()
		if !strings.Contains(log, "Webhook does not take changes, they wait") || !strings.Contains(log, "Webhook takes changes again") || !strings.Contains(log, errRefused.Error()) {
			t.Errorf("log = %s, want the failure and its end", log)
		}
		if strings.Contains(log, "s3cret") || strings.Contains(log, "t0ken") {
			t.Errorf("log = %s, want no secret", log)
		}
	})
}

// Webhooks of one host share a metric, and a server that tells nobody any more has
// nothing that waits.
func TestQueueLength(t *testing.T) {
	inBubble(t, func(r *rig) {
		r.answer = func(int, *http.Request) (int, error) { return 0, errRefused }
		stop := r.send(snapshot.Token{}, "https://hooks.example/orders", "https://hooks.example/pager")
		r.list("second", eureka.StatusUp)
		r.list("third", eureka.StatusUp)
		r.expectMetric("eurekube_webhook_queue_length", map[string]float64{"": 4})
		stop()
		r.expectMetric("eurekube_webhook_queue_length", map[string]float64{"": 0})
		r.expectMetric("eurekube_webhook_dropped_total", map[string]float64{"ended": 4})
	})
}

package events

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

func TestStreamTellsWhoComesAndGoes(t *testing.T) {
	inBubble(t, func(r *rig) {
		c := r.open("")
		h := c.answer.Header
		if c.answer.StatusCode != http.StatusOK || h.Get("Content-Type") != "text/event-stream" || h.Get("Cache-Control") != "no-cache, no-transform" || h.Get("X-Accel-Buffering") != "no" {
			t.Errorf("answer = %d %v", c.answer.StatusCode, h)
		}
		if first := c.expect(eventPing); first.id != r.token() || first.data != "{}" {
			t.Errorf("first event = %+v, want the token %s", first, r.token())
		}
		taken := up("A", "i1")
		taken.Status = eureka.StatusOutOfService
		labelled := up("B", "i3")
		labelled.Metadata = map[string]string{"note": "two\nlines"}
		steps := []struct {
			key  string
			inst []*eureka.Instance
			want string
		}{
			{"3", []*eureka.Instance{up("B", "i3")}, "up i3 ADDED"},
			{"1", []*eureka.Instance{taken}, "down i1 MODIFIED"},
			{"3", []*eureka.Instance{labelled}, "modified i3 MODIFIED"},
			{"2", nil, "down i2 DELETED"},
			{"1", []*eureka.Instance{up("A", "i1")}, "up i1 MODIFIED"},
		}
		for _, step := range steps {
			r.say(step.key, step.inst...)
			e, err := c.next()
			if err != nil || e.short() != step.want || e.id != r.token() {
				t.Errorf("event = %s %s, %v; want %s %s", e.short(), e.id, err, step.want, r.token())
			}
			if !json.Valid([]byte(e.data)) || !strings.HasPrefix(e.data, `{"instance":{`) {
				t.Errorf("data = %s, want the document of an instance", e.data)
			}
		}
		c.leave()
	})
}

func TestHowAStreamBegins(t *testing.T) {
	tests := []struct {
		name    string
		query   string
		headers func(old, now string) []string
		want    []string
	}{
		{name: "with nothing", want: []string{"ping "}},
		{name: "full", query: "full=true", want: []string{"reset i1 i2 i3"}},
		{name: "not full", query: "full=false", want: []string{"ping "}},
		{name: "after an event", headers: func(old, _ string) []string { return []string{"Last-Event-ID: " + old} }, want: []string{"ping ", "up i3 ADDED"}},
		{name: "after the latest event", headers: func(_, now string) []string { return []string{"Last-Event-ID: " + now} }, want: []string{"ping "}},
		{name: "full, after an event", query: "full=true", headers: func(old, _ string) []string { return []string{"Last-Event-ID: " + old} }, want: []string{"ping ", "up i3 ADDED"}},
		{name: "after another server's event", headers: func(string, string) []string { return []string{"Last-Event-ID: AAAAAAAA-0"} }, want: []string{"reset i1 i2 i3"}},
		{name: "after what is no event", headers: func(string, string) []string { return []string{"Last-Event-ID: x"} }, want: []string{"reset i1 i2 i3"}},
		{name: "after an event of nowhere", headers: func(string, string) []string { return []string{"Last-Event-ID:"} }, want: []string{"ping "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				old := r.token()
				r.say("3", up("B", "i3"))
				var headers []string
				if tt.headers != nil {
					headers = tt.headers(old, r.token())
				}
				c := r.open(tt.query, headers...)
				var got []string
				for range tt.want {
					e, err := c.next()
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, e.short())
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("first events (-want +got):\n%s", diff)
				}
				r.say("4", up("B", "i4"))
				c.expect("up")
				c.leave()
			})
		})
	}
}

func TestAStreamOfLongAgoBeginsAnew(t *testing.T) {
	inBubble(t, func(r *rig) {
		old := r.token()
		r.say("3", up("B", "i3"))
		time.Sleep(registry.DeltaWindow + time.Minute)
		synctest.Wait()
		c := r.open("", "Last-Event-ID: "+old)
		if e := c.expect(eventReset); e.short() != "reset i1 i2 i3" || e.id != r.token() {
			t.Errorf("first event = %s %s, want the list with %s", e.short(), e.id, r.token())
		}
		c.leave()
	})
}

// TestResumeLosesNothing cuts a stream after every event, also in the middle of
// those that were published together, and has the client come back.
func TestResumeLosesNothing(t *testing.T) {
	inBubble(t, func(r *rig) {
		rnd := rand.New(rand.NewPCG(1, 1))
		first := r.open("")
		id := first.expect(eventPing).id
		first.leave()
		var want, got []string
		for n := range 20 {
			for i := range 1 + rnd.IntN(4) {
				name := fmt.Sprint("n", n, "-", i)
				r.registry.Replace(registry.OwnerPod, name, registry.Listed(up("B", name)))
				want = append(want, "up "+name+" ADDED")
			}
			r.settle()
		}
		for range want {
			c := r.open("", "Last-Event-ID: "+id)
			c.expect(eventPing)
			e := c.expect("up")
			got, id = append(got, e.short()), e.id
			c.leave()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("events over %d streams (-want +got):\n%s", len(want), diff)
		}
		if id != r.token() {
			t.Errorf("the last event has the id %s, want %s", id, r.token())
		}
	})
}

// TestStreamsOutliveTimeouts has a stream pinged for ten minutes, on a server that
// would end any other answer after one.
func TestStreamsOutliveTimeouts(t *testing.T) {
	inBubble(t, func(r *rig) {
		c := r.open("")
		c.expect(eventPing)
		last := time.Now()
		for range 40 {
			e := c.expect(eventPing)
			if waited := time.Since(last); waited != pingInterval {
				t.Fatalf("a ping came after %v, want %v", waited, pingInterval)
			}
			if last = time.Now(); e.id != r.token() {
				t.Fatalf("the ping has the id %s, want %s", e.id, r.token())
			}
		}
		c.leave()
		if open := r.count("eurekube_streams", ""); open != 0 {
			t.Errorf("%v streams are open after the client has gone, want none", open)
		}
	})
}

func TestStreamsEndWhenTheServerStops(t *testing.T) {
	inBubble(t, func(r *rig) {
		c, second := r.open(""), r.open("full=true")
		c.expect(eventPing)
		second.expect(eventReset)
		synctest.Wait()
		if open := r.count("eurekube_streams", ""); open != 2 {
			t.Errorf("%v streams are open, want 2", open)
		}
		close(r.stopping)
		for _, c := range []*reader{c, second} {
			if e, err := c.next(); !errors.Is(err, io.EOF) {
				t.Errorf("event = %+v, %v; want a clean end", e, err)
			}
			c.leave()
		}
	})
}

func TestHeadOfAStream(t *testing.T) {
	inBubble(t, func(r *rig) {
		c := r.send(http.MethodHead, "full=true", "Connection: close")
		if c.answer.StatusCode != http.StatusOK || c.answer.Header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("answer = %d %v", c.answer.StatusCode, c.answer.Header)
		}
		if _, err := c.conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("after the headers: %v, want the end", err)
		}
	})
}

func TestRefusedStreams(t *testing.T) {
	tests := []struct{ name, query, want string }{
		{"full is a word", "full=yes", "full is neither true nor false\n"},
		{"full is empty", "full=", "full is neither true nor false\n"},
		{"full has no value", "full", "full is neither true nor false\n"},
		{"an escape", "app=%zz", "the query cannot be read\n"},
		{"an empty name", "app=", "app is empty: nothing has that name\n"},
		{"too many applications", strings.Repeat("app=a&", maxNames+1), "app stands there 101 times, more than 100\n"},
		{"too many VIPs", strings.Repeat("vip=a&", maxNames+1), "vip stands there 101 times, more than 100\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				c := r.open(tt.query)
				text, err := io.ReadAll(c.body)
				if err != nil || c.answer.StatusCode != http.StatusBadRequest || string(text) != tt.want {
					t.Errorf("answer = %d %q, %v; want 400 %q", c.answer.StatusCode, text, err, tt.want)
				}
				c.leave()
			})
		})
	}
}

package events

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// addressed is an instance with another VIP address and status.
func addressed(app, id, vip string, status eureka.Status) *eureka.Instance {
	inst := up(app, id)
	inst.VIPAddress, inst.Status = vip, status
	return inst
}

func TestFilteredStreams(t *testing.T) {
	const isUp, isDown = eureka.StatusUp, eureka.StatusDown
	type step struct {
		key  string
		inst *eureka.Instance // nil for gone
	}
	tests := []struct {
		name, query string
		steps       []step
		want        []string // the list and what comes then
	}{
		{"an application in any case", "app=b", []step{{"3", up("B", "i3")}, {"4", up("C", "i4")}, {"3", nil}}, []string{"reset ", "up i3 ADDED", "down i3 DELETED"}},
		{"two applications", "app=B&app=C", []step{{"3", up("B", "i3")}, {"4", up("C", "i4")}, {"1", nil}}, []string{"reset ", "up i3 ADDED", "up i4 ADDED"}},
		{"a VIP", "vip=i2", []step{{"1", nil}, {"2", nil}}, []string{"reset i2", "down i2 DELETED"}},
		{"a VIP of an application", "app=A&vip=i2&vip=i3", []step{{"3", up("B", "i3")}, {"2", nil}}, []string{"reset i2", "down i2 DELETED"}},
		{"a VIP in another case", "vip=I2", []step{{"2", nil}}, []string{"reset "}},
		{"an instance leaves a VIP", "vip=i2", []step{{"2", addressed("A", "i2", "x", isUp)}, {"2", nil}}, []string{"reset i2", "down i2 DELETED"}},
		{"one leaves that was down", "vip=i2", []step{{"2", addressed("A", "i2", "i2", isDown)}, {"2", addressed("A", "i2", "x", isDown)}}, []string{"reset i2", "down i2 MODIFIED", "down i2 DELETED"}},
		{"an instance enters a VIP", "vip=x", []step{{"2", addressed("A", "i2", "x", isUp)}, {"2", addressed("A", "i2", "x", isDown)}}, []string{"reset ", "up i2 MODIFIED", "down i2 MODIFIED"}},
		{"one enters that is down", "vip=x", []step{{"2", addressed("A", "i2", "x", isDown)}}, []string{"reset ", "modified i2 MODIFIED"}},
		{"one stays", "vip=i2", []step{{"2", addressed("A", "i2", "i2,x", isUp)}}, []string{"reset i2", "modified i2 MODIFIED"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				c := r.open("full=true&" + tt.query)
				var got []string
				read := func() {
					e, err := c.next()
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, e.short())
				}
				read()
				for _, s := range tt.steps {
					if s.inst == nil {
						r.say(s.key)
					} else {
						r.say(s.key, s.inst)
					}
				}
				for range tt.want[1:] {
					read()
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("events (-want +got):\n%s", diff)
				}
				if e := c.expect(eventPing); e.id != r.token() { // and nothing before it
					t.Errorf("the ping has the id %s, want %s: others' changes move it too", e.id, r.token())
				}
				c.leave()
			})
		})
	}
}

// TestAnUnseenMoveIsNoEvent has an instance enter a VIP and go before anybody could
// see it there.
func TestAnUnseenMoveIsNoEvent(t *testing.T) {
	inBubble(t, func(r *rig) {
		old, entered := r.open("vip=i2"), r.open("vip=x")
		old.expect(eventPing)
		entered.expect(eventPing)
		r.registry.Replace(registry.OwnerPod, "1") // published at once, and what follows a holdoff later
		synctest.Wait()
		r.registry.Replace(registry.OwnerPod, "2", registry.Listed(addressed("A", "i2", "x", eureka.StatusUp)))
		r.say("2")
		if e := old.expect("down"); e.short() != "down i2 DELETED" {
			t.Errorf("event = %s, want i2 deleted", e.short())
		}
		start := time.Now()
		entered.expect(eventPing)
		if waited := time.Since(start); waited > pingInterval {
			t.Errorf("the next ping came after %v, want %v", waited, pingInterval)
		}
		old.leave()
		entered.leave()
	})
}

func FuzzRequest(f *testing.F) {
	f.Add("app=a&vip=b&full=true", "AAAAAAAA-1")
	f.Add("app=%zz;", "\x00")
	f.Fuzz(func(t *testing.T, query, last string) {
		r := httptest.NewRequest("GET", "/eureka/stream", nil)
		r.URL.RawQuery = query
		r.Header["Last-Event-Id"] = []string{last}
		asked, err := parseRequest(r)
		values, readable := url.ParseQuery(query)
		if err != nil {
			empty := slices.Contains(values["app"], "") || slices.Contains(values["vip"], "")
			if full := values.Get("full"); readable == nil && !empty && len(values["app"]) <= maxNames && len(values["vip"]) <= maxNames && (!values.Has("full") || full == "true" || full == "false") {
				t.Errorf("%q is refused: %v", query, err)
			}
			return
		}
		if len(asked.filter.Apps) != len(values["app"]) || len(asked.filter.VIPs) != len(values["vip"]) || asked.full != (values.Get("full") == "true") {
			t.Errorf("%q was read as %+v", query, asked)
		}
	})
}

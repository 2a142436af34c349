package client_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

func TestEvents(t *testing.T) {
	one, two := instance("ORDERS", "1"), instance("ORDERS", "2")
	down := with(instance("ORDERS", "1"), func(i *eureka.Instance) { i.Status = eureka.StatusDown })
	tests := []struct {
		name   string
		events []string
		want   []string // ids and statuses
	}{
		{"nothing", nil, []string{"1 UP"}},
		{"up", []string{line("up", "t2", eureka.ActionAdded, two)}, []string{"1 UP", "2 UP"}},
		{"down and still listed", []string{line("down", "t2", eureka.ActionModified, down)}, []string{"1 DOWN"}},
		{"down and gone", []string{line("down", "t2", eureka.ActionDeleted, one)}, nil},
		{"modified", []string{line("modified", "t2", eureka.ActionModified, down)}, []string{"1 DOWN"}},
		{"twice", []string{line("up", "t2", eureka.ActionAdded, two), line("up", "t2", eureka.ActionAdded, two)}, []string{"1 UP", "2 UP"}},
		{"gone twice", []string{line("down", "t2", eureka.ActionDeleted, one), line("down", "t2", eureka.ActionDeleted, one)}, nil},
		{"reset", []string{reset("t2", two)}, []string{"2 UP"}},
		{"reset after changes", []string{line("up", "t2", eureka.ActionAdded, two), reset("t3", one)}, []string{"1 UP"}},
		{"unknown event", []string{"event: moved\ndata: nonsense\n\n", line("up", "t2", eureka.ActionAdded, two)}, []string{"1 UP", "2 UP"}},
		{"unknown fields and comments", []string{": hello\nretry: 5\nfoo\nevent: up\ndata: {\"instance\":{\"instanceId\":\"2\",\"app\":\"ORDERS\",\"color\":\"red\",\"actionType\":\"ADDED\"},\"cause\":\"pod\"}\n\n"}, []string{"1 UP", "2 UP"}},
		{"no action", []string{line("up", "t2", "", two)}, []string{"1 UP"}},
		{"half an event", []string{"event: down\ndata: {\"inst"}, []string{"1 UP"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				n.serve("a", &script{full: list("t1", "", one), stream: streams(time.Hour, tt.events...)})
				d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{})
				synctest.Wait()
				var got []string
				for _, app := range d.Applications() {
					for _, inst := range app.Instances {
						got = append(got, inst.ID+" "+string(inst.Status))
					}
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("instances (-want +got):\n%s", diff)
				}
				if got := d.Stats(); got.FullReads > 2 || got.Failures != 0 {
					t.Errorf("Stats = %+v, want no failure", got)
				}
			})
		})
	}
}

// TestStreamGoesOnFromWhereItWasCut looks at what each request for the stream asks
// for.
func TestStreamGoesOnFromWhereItWasCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two, three := instance("ORDERS", "1"), instance("ORDERS", "2"), instance("ORDERS", "3")
		var asked []string
		s := &script{full: list("t1", "", one), stream: func(w http.ResponseWriter, r *http.Request) {
			asked = append(asked, r.URL.RawQuery+" "+r.Header.Get("Last-Event-ID"))
			switch len(asked) {
			case 1:
				streams(20*time.Second, line("up", "t2", eureka.ActionAdded, two))(w, r)
			case 2: // it dies within an event
				streams(12*time.Second, "event: up\nid: t9\ndata: {")(w, r)
			default:
				streams(time.Hour, line("up", "t3", eureka.ActionAdded, three))(w, r)
			}
		}}
		d, n := started(t, s, client.DiscoveryConfig{})
		if diff := cmp.Diff([]string{"1", "2", "3"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("instances (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{" t1", " t2", " t2"}, asked); diff != "" {
			t.Errorf("queries and Last-Event-IDs (-want +got):\n%s", diff)
		}
		if full := n.count("a GET /eureka/apps"); full != 1 {
			t.Errorf("%d full reads, want 1", full)
		}
	})
}

func TestStreamThatFallsSilentIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var opened atomic.Int32
		s := &script{full: list("t1", "", instance("ORDERS", "1")), stream: func(w http.ResponseWriter, r *http.Request) {
			first := opened.Add(1) == 1
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, ping)
			for first { // bytes that never make an event
				select {
				case <-r.Context().Done():
					return
				case <-time.After(10 * time.Second):
					_, _ = io.WriteString(w, ":")
				}
			}
			streams(time.Hour)(w, r)
		}}
		d, _ := started(t, s, client.DiscoveryConfig{})
		if opened.Load() != 2 || d.Stats().Mode != client.ModeStream {
			t.Errorf("after a minute the stream was opened %d times and the mode is %s, want the second stream", opened.Load(), d.Stats().Mode)
		}
	})
}

// TestHostileStreams has each text come first, and then a server that behaves: the
// list stays right.
func TestHostileStreams(t *testing.T) {
	tests := []struct{ name, text string }{
		{"broken instance", "event: up\nid: t2\ndata: {\"instance\":{\"port\":\"x\"}}\n\n"},
		{"no JSON", "event: up\nid: t2\ndata: <instance/>\n\n"},
		{"empty data", "event: down\nid: t2\ndata:\n\n"},
		{"broken reset", "event: reset\nid: t2\ndata: {\"applications\":7}\n\n"},
		{"reset to nobody", reset("t2")},
		{"bytes that are no text", "event: up\nid: t2\ndata: \xff\xfe\n\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var opened atomic.Int32
				s := &script{full: list("t1", "", instance("ORDERS", "1")), stream: func(w http.ResponseWriter, r *http.Request) {
					if opened.Add(1) == 1 {
						streams(time.Hour, tt.text)(w, r)
					}
					streams(time.Hour)(w, r)
				}}
				d, n := started(t, s, client.DiscoveryConfig{})
				if diff := cmp.Diff([]string{"1"}, ids(d.Instances("ORDERS"))); diff != "" {
					t.Errorf("instances (-want +got):\n%s", diff)
				}
				if full := n.count("a GET /eureka/apps"); full != 2 {
					t.Errorf("%d full reads, want one more after what could not be understood", full)
				}
				if got := d.Stats(); got.Failures != 1 || got.Mode != client.ModeStream {
					t.Errorf("Stats = %+v, want one failure and the stream again", got)
				}
			})
		})
	}
}

// TestStreamThatIsRefusedLater has a change pass between two streams, the second of
// which is refused, that no delta tells and that leaves the hash as it was.
func TestStreamThatIsRefusedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{delta: list("t9", "UP_1_"), full: list("t1", "", instance("ORDERS", "1"))}
		s.stream = func(w http.ResponseWriter, r *http.Request) {
			streams(40*time.Second, ping)(w, r)
			s.set(func(s *script) { s.full, s.stream = list("t9", "", instance("ORDERS", "2")), nil })
		}
		d, n := started(t, s, client.DiscoveryConfig{Interval: 5 * time.Second})
		if diff := cmp.Diff([]string{"2"}, ids(d.Instances("ORDERS"))); diff != "" {
			t.Errorf("instances after %q (-want +got):\n%s", n.log(), diff)
		}
	})
}

// TestTokensThatCannotBeSentBack has a server give what no header can hold, or what it
// refuses to take.
func TestTokensThatCannotBeSentBack(t *testing.T) {
	for name, token := range map[string]string{"control character": "t\x01", "carriage return": "t\rx", "long": strings.Repeat("t", 16<<10)} {
		for _, where := range []string{"list", "event"} {
			t.Run(name+" in a "+where, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					inList, inEvent := token, "t2"
					if where == "event" {
						inList, inEvent = "t1", token
					}
					var opened atomic.Int32
					s := &script{full: list(inList, "", instance("ORDERS", "1")), stream: func(w http.ResponseWriter, r *http.Request) {
						last := r.Header.Get("Last-Event-ID")
						switch {
						case len(last) > 8<<10:
							w.WriteHeader(http.StatusRequestHeaderFieldsTooLarge)
						case opened.Add(1) == 1:
							streams(20*time.Second, "event: ping\nid: "+inEvent+"\ndata: {}\n\n")(w, r)
						default:
							streams(time.Hour, line("up", "t3", eureka.ActionAdded, instance("ORDERS", "2")))(w, r)
						}
					}}
					d, _ := started(t, s, client.DiscoveryConfig{})
					if diff := cmp.Diff([]string{"1", "2"}, ids(d.Instances("ORDERS"))); diff != "" {
						t.Errorf("instances (-want +got):\n%s", diff)
					}
					if got := d.Stats(); got.Failures != 0 || got.Mode != client.ModeStream {
						t.Errorf("Stats = %+v, want the stream and no failure", got)
					}
				})
			})
		}
	}
}

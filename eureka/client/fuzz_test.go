package client

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

// FuzzEvents holds that a stream reads the same however it is cut into pieces, and
// that no event is longer than allowed.
func FuzzEvents(f *testing.F) {
	f.Add("event: up\nid: 1\ndata: {}\n\n")
	f.Add("data: a\ndata: b\r\n\r\n: c\n\ndata\n\nid\n\n")
	f.Add("id: 7\n\ndata: x\n\nid: \x00\ndata:  y\n\nevent: z\ndata")
	f.Add(strings.Repeat("data: 0123456789\n", 300) + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		const longest = 1000
		whole, err := readAll(newEventReader(strings.NewReader(text), longest))
		pieces, errPieces := readAll(newEventReader(iotest.OneByteReader(strings.NewReader(text)), longest))
		if diff := cmp.Diff(whole, pieces, sameEvent); diff != "" || !errors.Is(errPieces, err) {
			t.Errorf("%q: read whole %v, byte by byte %v (-whole +pieces):\n%s", text, err, errPieces, diff)
		}
		for _, e := range whole {
			if len(e.data) > longest {
				t.Errorf("%q has an event of %d bytes", text, len(e.data))
			}
		}
		if !errors.Is(err, io.EOF) && !errors.Is(err, errLongEvent) {
			t.Errorf("%q ends in %v", text, err)
		}
	})
}

func readAll(r *eventReader) ([]event, error) {
	var all []event
	for {
		e, err := r.next()
		if err != nil {
			return all, err
		}
		all = append(all, e)
	}
}

// sameEvent compares data as a whole.
var sameEvent = cmp.Comparer(func(a, b event) bool { return a.name == b.name && a.id == b.id && bytes.Equal(a.data, b.data) })

func TestEventReader(t *testing.T) {
	long := strings.Repeat("x", 100<<10) // more than the buffer holds
	tests := []struct {
		name, text string
		want       []event
	}{
		{"fields", "event: up\nid: 1\ndata: a\n\n", []event{{"up", "1", []byte("a")}}},
		{"no name", "data: a\n\n", []event{{"message", "", []byte("a")}}},
		{"several lines", "data: a\ndata:b\ndata\n\n", []event{{"message", "", []byte("a\nb\n")}}},
		{"CRLF", "event: up\r\ndata: a\r\n\r\n", []event{{"up", "", []byte("a")}}},
		{"id stays", "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", []event{{"message", "1", []byte("a")}, {"message", "1", []byte("b")}, {"message", "", []byte("c")}}},
		{"id without data", "id: 1\n\ndata: a\n\n", []event{{"message", "1", []byte("a")}}},
		{"name without data", "event: up\n\ndata: a\n\n", []event{{"message", "", []byte("a")}}},
		{"comment", ": hello\n\n:\n\ndata: a\n\n", []event{{"message", "", []byte("a")}}},
		{"cut off", "data: a\n\ndata: b\n", []event{{"message", "", []byte("a")}}},
		{"long", "data: " + long + "\n\n", []event{{"message", "", []byte(long)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readAll(newEventReader(strings.NewReader(tt.text), 1<<20))
			if diff := cmp.Diff(tt.want, got, sameEvent); diff != "" || !errors.Is(err, io.EOF) {
				t.Errorf("events, then %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// FuzzDelta applies what the bytes say, two deltas in a row, to what a simple map
// does with them. Each byte is one entry: two bits for the action, two for the
// app, two for the id, two for the status.
func FuzzDelta(f *testing.F) {
	f.Add([]byte{0x00, 0x15, 0x2a}, []byte{0x80, 0x95}, []byte{0x40})
	f.Add([]byte{}, []byte{0xff, 0x00, 0x3f}, []byte{0xc0, 0x41, 0x81})
	f.Fuzz(func(t *testing.T, full, first, second []byte) {
		want := map[string]eureka.Status{}
		for _, b := range full {
			inst := told(b)
			want[inst.App+inst.ID] = inst.Status
		}
		v := viewOf(listOf(full))
		for _, entries := range [][]byte{first, second} {
			before := snapshotOf(v)
			changes := v.change()
			changes.apply(listOf(entries))
			if diff := cmp.Diff(before, snapshotOf(v)); diff != "" {
				t.Fatalf("the view that others read changed:\n%s", diff)
			}
			for _, b := range entries {
				switch inst := told(b); inst.ActionType {
				case eureka.ActionDeleted:
					delete(want, inst.App+inst.ID)
				case eureka.ActionAdded, eureka.ActionModified:
					want[inst.App+inst.ID] = inst.Status
				}
			}
			v = changes.view()
			if diff := cmp.Diff(want, snapshotOf(v)); diff != "" {
				t.Fatalf("after %x (-want +got):\n%s", entries, diff)
			}
			check(t, v)
		}
	})
}

// told is the instance that a byte stands for.
func told(b byte) *eureka.Instance {
	return &eureka.Instance{
		ActionType: [...]eureka.ActionType{eureka.ActionAdded, eureka.ActionModified, eureka.ActionDeleted, ""}[b>>6],
		App:        string('A' + rune(b>>4&3)), ID: string('0' + rune(b>>2&3)),
		Status: eureka.Statuses[b&3],
	}
}

// listOf puts every entry into its app, in their order.
func listOf(entries []byte) []eureka.Application {
	var apps []eureka.Application
	for _, b := range entries {
		inst := told(b)
		i := slices.IndexFunc(apps, func(app eureka.Application) bool { return app.Name == inst.App })
		if i < 0 {
			i, apps = len(apps), append(apps, eureka.Application{Name: inst.App})
		}
		apps[i].Instances = append(apps[i].Instances, inst)
	}
	return apps
}

func snapshotOf(v *view) map[string]eureka.Status {
	all := map[string]eureka.Status{}
	for _, app := range v.applications() {
		for _, inst := range app.Instances {
			all[app.Name+inst.ID] = inst.Status
		}
	}
	return all
}

// check holds what readers of a view rely on.
func check(t *testing.T, v *view) {
	t.Helper()
	if got, want := v.census.HashCode(), eureka.HashCode(v.applications()); got != want {
		t.Errorf("hash %q, of the list itself %q", got, want)
	}
	for name, app := range v.apps {
		if len(app.all) == 0 || !slices.IsSortedFunc(app.all, func(a, b *eureka.Instance) int { return strings.Compare(a.ID, b.ID) }) {
			t.Errorf("%s is empty or not sorted: %v", name, app.all)
		}
		for _, inst := range app.up {
			if inst.Status != eureka.StatusUp {
				t.Errorf("%s of %s is %s among those that are UP", inst.ID, name, inst.Status)
			}
		}
	}
}

// FuzzFile holds that whatever a file has in it is read or refused, and that what
// is read is what is written again.
func FuzzFile(f *testing.F) {
	d := NewDiscovery(&Servers{}, DiscoveryConfig{})
	f.Add(d.formatFile(viewOf(listOf([]byte{0x00, 0x15}))))
	f.Add([]byte("eurekube-list 1 1 00\n{}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, at, err := parseFile(text)
		if err != nil {
			return
		}
		d.confirmed.Store(at.UnixMilli())
		again := d.formatFile(v)
		w, _, err := parseFile(again)
		if err != nil || !bytes.Equal(again, d.formatFile(w)) {
			t.Errorf("written again it is %q and %v", again, err)
		}
	})
}

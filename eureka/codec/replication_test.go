package codec_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// batch is a batch that a real server took, with its answer.
type batch struct {
	Name, Body, Answer string
}

func batches(t testing.TB) []batch {
	t.Helper()
	data, err := os.ReadFile("testdata/batches.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []batch
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// plainItem is an item as the standard library reads it.
type plainItem struct {
	AppName, ID, Action, Status, OverriddenStatus string
	LastDirtyTimestamp                            *int64
	InstanceInfo                                  json.RawMessage
}

// TestRecordedBatches wants every item of what peers send to be read as the
// standard library reads it.
func TestRecordedBatches(t *testing.T) {
	for _, b := range batches(t) {
		t.Run(b.Name, func(t *testing.T) {
			var plain struct{ ReplicationList []plainItem }
			if err := json.Unmarshal([]byte(b.Body), &plain); err != nil {
				t.Fatal(err)
			}
			want := make([]codec.ReplicationItem, len(plain.ReplicationList))
			for i, p := range plain.ReplicationList {
				want[i] = codec.ReplicationItem{
					Action: codec.ReplicationAction(p.Action), App: p.AppName, ID: p.ID,
					Status: eureka.Status(p.Status), OverriddenStatus: eureka.Status(p.OverriddenStatus),
				}
				if p.LastDirtyTimestamp != nil {
					want[i].LastDirtyTimestamp, want[i].HasLastDirtyTimestamp = *p.LastDirtyTimestamp, true
				}
				if p.Action == "Register" {
					inst, err := codec.DecodeInstance(codec.JSON, p.InstanceInfo)
					if err != nil {
						t.Fatal(err)
					}
					want[i].Instance = inst
				}
			}
			got, err := codec.DecodeReplication([]byte(b.Body))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("DecodeReplication(%s) differs (-want +got):\n%s", b.Body, diff)
			}
		})
	}
}

// TestRecordedBatchAnswers wants the recorded answers byte for byte.
func TestRecordedBatchAnswers(t *testing.T) {
	for _, b := range batches(t) {
		t.Run(b.Name, func(t *testing.T) {
			var plain struct {
				ResponseList []struct {
					StatusCode     int
					ResponseEntity json.RawMessage
				}
			}
			if err := json.Unmarshal([]byte(b.Answer), &plain); err != nil {
				t.Fatal(err)
			}
			answer := codec.JSON.NewReplicationAnswer(len(b.Answer))
			for _, p := range plain.ResponseList {
				var newer *eureka.Instance
				if p.ResponseEntity != nil {
					inst, err := codec.DecodeInstance(codec.JSON, p.ResponseEntity)
					if err != nil {
						t.Fatal(err)
					}
					newer = inst
				}
				answer.Add(p.StatusCode, newer)
			}
			if diff := cmp.Diff(b.Answer, string(answer.Document())); diff != "" {
				t.Errorf("answer differs (-recorded +ours):\n%s", diff)
			}
		})
	}
}

func TestReplicationAnswerInXML(t *testing.T) {
	answer := codec.XML.NewReplicationAnswer(1 << 12)
	answer.Add(200, nil)
	answer.Add(409, &eureka.Instance{
		ID: "a&b", App: "A", Metadata: map[string]string{"k": "v"}, DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterAmazon, Metadata: map[string]string{"x": "y"}},
	})
	body := answer.Document()
	var got struct {
		XMLName xml.Name
		Items   []struct {
			XMLName xml.Name
			Code    int `xml:"statusCode"`
			Entity  *struct {
				ID  string `xml:"instanceId"`
				Key string `xml:"metadata>k"`
			} `xml:"responseEntity"`
		} `xml:"responseList>com.netflix.eureka.cluster.protocol.ReplicationInstanceResponse"`
	}
	if err := xml.Unmarshal(body, &got); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if got.XMLName.Local != "com.netflix.eureka.cluster.protocol.ReplicationListResponse" || len(got.Items) != 2 ||
		got.Items[0].Code != 200 || got.Items[0].Entity != nil ||
		got.Items[1].Code != 409 || got.Items[1].Entity == nil || got.Items[1].Entity.ID != "a&b" || got.Items[1].Entity.Key != "v" {
		t.Errorf("answer reads %+v: %s", got, body)
	}
}

// TestReplicationAnswerHasRoomForSoMuch adds a short, a long and a short copy. Of
// what follows one that does not fit nothing is tried, since that costs as much
// as to write it; all results stand all the same.
func TestReplicationAnswerHasRoomForSoMuch(t *testing.T) {
	short, long := &eureka.Instance{ID: "short"}, &eureka.Instance{ID: strings.Repeat("long", 1000)}
	tests := []struct {
		name string
		room int
		want int // how many copies
	}{
		{"for none", 0, 0},
		{"for all but the long one", 3000, 1},
		{"for all", 10000, 3},
	}
	for form, opening := range map[codec.Form]string{codec.JSON: `"responseEntity":`, codec.XML: "<responseEntity>"} {
		for _, tt := range tests {
			t.Run(form.String()+"/"+tt.name, func(t *testing.T) {
				answer := form.NewReplicationAnswer(tt.room)
				for _, newer := range []*eureka.Instance{short, long, short} {
					answer.Add(409, newer)
				}
				body := answer.Document()
				if got := bytes.Count(body, []byte("409")); got != 3 {
					t.Errorf("%d results, want 3: %s", got, body)
				}
				if got := bytes.Count(body, []byte(opening)); got != tt.want {
					t.Errorf("%d copies, want %d: %s", got, tt.want, body)
				}
				if err := readable(form, body); err != nil {
					t.Errorf("%v in %s", err, body)
				}
			})
		}
	}
}

// readable reads a document as the standard library does.
func readable(form codec.Form, body []byte) error {
	var v any
	if form == codec.JSON {
		return json.Unmarshal(body, &v)
	}
	return xml.Unmarshal(body, &struct{}{})
}

func TestDecodeReplication(t *testing.T) {
	item := func(members string) string { return `{"replicationList":[{` + members + `}]}` }
	tests := []struct {
		name, body string
		fault      string // of the first item
		syntax     string // of the batch
	}{
		{name: "stamp as text", body: item(`"appName":"a","id":"i","action":"Heartbeat","lastDirtyTimestamp":"5"`)},
		{name: "no stamp", body: item(`"appName":"a","id":"i","action":"DeleteStatusOverride"`)},
		{name: "unknown members", body: item(`"appName":"a","id":"i","action":"Cancel","x":{"action":"no"},"y":[1]`)},
		{name: "status in lower case", body: item(`"appName":"a","id":"i","action":"StatusUpdate","status":"down"`)},
		{name: "instance with its name around it", body: item(`"appName":"a","action":"Register","instanceInfo":{"instance":{"instanceId":"i"}}`)},
		{name: "empty batch", body: `{"replicationList":[]}`},
		{name: "no app", body: item(`"id":"i","action":"Cancel"`), fault: "Missing appName"},
		{name: "no id", body: item(`"appName":"a","action":"Cancel"`), fault: "Missing id"},
		{name: "no action", body: item(`"appName":"a","id":"i"`), fault: "Missing action"},
		{name: "action in another case", body: item(`"appName":"a","id":"i","action":"cancel"`), fault: `action: "cancel" is no action`},
		{name: "no status to update", body: item(`"appName":"a","id":"i","action":"StatusUpdate"`), fault: "Missing status"},
		{name: "status that is none", body: item(`"appName":"a","id":"i","action":"StatusUpdate","status":"SIDEWAYS"`), fault: `status: "SIDEWAYS" is no status`},
		{name: "stamp that is none", body: item(`"appName":"a","id":"i","action":"Heartbeat","lastDirtyTimestamp":"x"`), fault: `lastDirtyTimestamp: "x" is no integer`},
		{name: "no instance", body: item(`"appName":"a","id":"i","action":"Register"`), fault: "Missing instanceInfo"},
		{name: "null instance", body: item(`"appName":"a","id":"i","action":"Register","instanceInfo":null`), fault: "Missing instanceInfo"},
		{name: "list as instance", body: item(`"appName":"a","id":"i","action":"Register","instanceInfo":[]`), fault: "instance: is no object"},
		{name: "bad port", body: item(`"appName":"a","action":"Register","instanceInfo":{"port":{"$":"http"}}`), fault: `port: "http" is no integer`},
		{name: "text as item", body: `{"replicationList":["x"]}`, fault: "replicationList: an item is no object"},
		{name: "no batch", body: `{}`, syntax: "Missing replicationList"},
		{name: "null batch", body: `{"replicationList":null}`, syntax: "Missing replicationList"},
		{name: "object as batch", body: `{"replicationList":{}}`, syntax: "JSON could not be parsed at byte 0: it holds no list replicationList"},
		{name: "bare list", body: `[]`, syntax: "JSON could not be parsed at byte 0: it holds no list replicationList"},
		{name: "cut short", body: `{`, syntax: "JSON could not be parsed at byte 1: unexpected end"},
		{name: "too many", body: `{"replicationList":[{}` + strings.Repeat(",{}", 1000) + `]}`, syntax: "JSON could not be parsed at byte 3022: more than 1000 items"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			items, err := codec.DecodeReplication([]byte(tt.body))
			if message(err) != tt.syntax {
				t.Fatalf("DecodeReplication = %v, want %q", err, tt.syntax)
			}
			if len(items) > 0 && message(items[0].Err) != tt.fault {
				t.Errorf("Err = %v, want %q", items[0].Err, tt.fault)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// FuzzDecodeReplication wants an item without fault to name what it is about,
// and every batch that is read to be JSON.
func FuzzDecodeReplication(f *testing.F) {
	for _, b := range batches(f) {
		f.Add([]byte(b.Body))
	}
	f.Add([]byte(`{"replicationList":[{"appName":"a","action":"Register","instanceInfo":{"instance":{}}},null,1]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		items, err := codec.DecodeReplication(body)
		if err != nil {
			checkError(t, err)
			return
		}
		var v any
		if err := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\uFEFF")))).Decode(&v); err != nil {
			t.Fatalf("DecodeReplication(%q) reads what is no JSON: %v", body, err)
		}
		for _, item := range items {
			register := item.Action == codec.ReplicateRegister
			switch {
			case item.Err != nil:
				checkError(t, item.Err)
			case item.App == "", item.ID == "" && !register, register != (item.Instance != nil):
				t.Errorf("DecodeReplication(%q) takes %+v", body, item)
			case register:
				checkInstance(t, item.Instance)
			}
		}
	})
}

package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

// batch is the body of a batch.
func batch(t testing.TB, items ...fields) string {
	t.Helper()
	body, err := json.Marshal(fields{"replicationList": items})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// item is an item about A/i1.
func item(action string, others fields) fields {
	return fields{"appName": "A", "id": "i1", "action": action}.with(others)
}

// result is one result as a peer reads it.
type result struct {
	StatusCode     int
	ResponseEntity *struct{ InstanceID, Status string }
}

func (s *server) replicate(items ...fields) []result {
	s.t.Helper()
	a := s.send("POST", "/eureka/peerreplication/batch/", batch(s.t, items...), contentJSON, acceptJSON)
	s.want(a, http.StatusOK)
	var response struct{ ResponseList []result }
	if err := json.Unmarshal(a.raw, &response); err != nil {
		s.t.Fatal(err)
	}
	s.settle()
	return response.ResponseList
}

func TestBatch(t *testing.T) {
	s := startWrites(t)
	register := item("Register", fields{"instanceInfo": registration("A", "i1")})
	steps := []struct {
		name   string
		item   fields
		code   int
		entity string        // status of the instance in the result
		status eureka.Status // of A/i1 afterwards, empty when it is not listed
	}{
		{"heartbeat of what is not there", item("Heartbeat", fields{"lastDirtyTimestamp": 1000}), 404, "", ""},
		{"register", register, 200, "", "UP"},
		{"heartbeat", item("Heartbeat", fields{"lastDirtyTimestamp": 1000, "status": "DOWN"}), 200, "", "UP"},
		{"heartbeat without stamp", item("Heartbeat", nil), 200, "", "UP"},
		{"heartbeat of an older copy", item("Heartbeat", fields{"lastDirtyTimestamp": "999"}), 409, "UP", "UP"},
		{"heartbeat of a newer copy", item("Heartbeat", fields{"lastDirtyTimestamp": 1001}), 404, "", "UP"},
		{"override", item("StatusUpdate", fields{"status": "OUT_OF_SERVICE", "lastDirtyTimestamp": 1000}), 200, "", "OUT_OF_SERVICE"},
		{"conflict shows it as it is at that item", item("Heartbeat", fields{"lastDirtyTimestamp": 1}), 409, "OUT_OF_SERVICE", "OUT_OF_SERVICE"},
		{"remove the override", item("DeleteStatusOverride", fields{"status": "UP"}), 200, "", "UP"},
		{"app in lower case", item("Heartbeat", fields{"appName": "a"}), 200, "", "UP"},
		{"no app", item("Heartbeat", fields{"appName": nil}), 400, "", "UP"},
		{"no id", item("Cancel", fields{"id": nil}), 400, "", "UP"},
		{"no action", fields{"appName": "A", "id": "i1"}, 400, "", "UP"},
		{"override without status", item("StatusUpdate", nil), 400, "", "UP"},
		{"registration without instance", item("Register", nil), 400, "", "UP"},
		{"registration of another app", item("Register", fields{"instanceInfo": registration("B", "i1")}), 400, "", "UP"},
		{"registration without host name", item("Register", fields{"instanceInfo": registration("A", "i2").with(fields{"hostName": nil})}), 400, "", "UP"},
		{"registration with port 0", item("Register", fields{"instanceInfo": registration("A", "i2").with(fields{"port": 0})}), 400, "", "UP"},
		{"override of what is not there", item("StatusUpdate", fields{"id": "no", "status": "DOWN"}), 404, "", "UP"},
		{"cancel", item("Cancel", nil), 200, "", ""},
		{"cancel again", item("Cancel", nil), 404, "", ""},
	}
	var all []fields
	var together []string
	for _, step := range steps {
		all = append(all, step.item)
		together = append(together, fmt.Sprint(step.code, step.entity))
		t.Run(step.name, func(t *testing.T) {
			results := s.replicate(step.item)
			if len(results) != 1 || describe(results[0]) != fmt.Sprint(step.code, step.entity) {
				t.Fatalf("results = %+v, want %d %s", results, step.code, step.entity)
			}
			listed := s.listed()
			var status eureka.Status
			if inst := listed["A/i1"]; inst != nil {
				status = inst.Status
			}
			if status != step.status || len(listed) > 1 {
				t.Errorf("listed = %v, want A/i1 %q alone", listed, step.status)
			}
		})
	}
	var got []string
	for _, r := range s.replicate(all...) {
		got = append(got, describe(r))
	}
	if diff := cmp.Diff(together, got); diff != "" {
		t.Errorf("all in one batch (-want +got):\n%s", diff)
	}
}

// describe is a result's status, and that of its instance.
func describe(r result) string {
	if r.ResponseEntity == nil {
		return fmt.Sprint(r.StatusCode, "")
	}
	return fmt.Sprint(r.StatusCode, r.ResponseEntity.Status)
}

// TestAnswerToABatchIsBounded asks for one long instance as often as a batch may.
func TestAnswerToABatchIsBounded(t *testing.T) {
	s := startWrites(t)
	s.register(registration("A", "i1").with(fields{"metadata": fields{"long": strings.Repeat("x", maxBody/2)}}))
	older := make([]fields, 700) // which fill a body
	for i := range older {
		older[i] = item("Heartbeat", fields{"lastDirtyTimestamp": 1})
	}
	for _, accept := range []string{"application/json", "application/xml"} {
		a := s.send("POST", "/eureka/peerreplication/batch/", batch(t, older...), contentJSON, "Accept: "+accept)
		s.want(a, http.StatusOK)
		if longest := entitiesPerBody*maxBody + len(older)*256; len(a.raw) > longest {
			t.Errorf("%s: answer has %d bytes, want %d at most", accept, len(a.raw), longest)
		}
		if got := strings.Count(a.text, "409"); got != len(older) {
			t.Errorf("%s: %d results are 409, want all %d", accept, got, len(older))
		}
		if got := strings.Count(a.text, "instanceId"); got == 0 {
			t.Errorf("%s: no result has an instance", accept)
		}
	}
}

func TestBatchesAsAWhole(t *testing.T) {
	s := startWrites(t)
	empty := batch(t)
	tests := []struct {
		name, body, contentType, accept string
		code                            int
		text                            string // its beginning
	}{
		{"empty", `{"replicationList":[]}`, "application/json", "application/json", 200, `{"responseList":[]}`},
		{"no Accept", `{"replicationList":[]}`, "application/json", "", 200, `{"responseList":[]}`},
		{"anything", `{"replicationList":[]}`, "application/json", "*/*", 200, `{"responseList":[]}`},
		{"XML and JSON", `{"replicationList":[]}`, "application/json", "application/xml, application/json", 200, `{"responseList":[]}`},
		{"XML alone", `{"replicationList":[{}]}`, "application/json", "application/xml", 200, "<com.netflix.eureka.cluster.protocol.ReplicationListResponse>"},
		{"no type", `{"replicationList":[]}`, "", "application/json", 200, `{"responseList":[]}`},
		{"null", empty, "application/json", "application/json", 400, "replicationList is missing\n"},
		{"a text as the list", `{"replicationList":"x"}`, "application/json", "application/json", 400, "JSON could not be parsed at byte 0: it holds no list replicationList\n"},
		{"without the list", `{}`, "application/json", "application/json", 400, "replicationList is missing\n"},
		{"without anything", ``, "application/json", "application/json", 400, "the body is empty\n"},
		{"broken", `{`, "application/json", "application/json", 400, "JSON could not be parsed at byte 1: unexpected end"},
		{"as XML", `<x/>`, "application/xml", "application/json", 415, "a batch is JSON"},
		{"as text", empty, "text/plain", "application/json", 415, `Content-Type "text/plain" is neither JSON nor XML`},
		{"too many", `{"replicationList":[` + strings.Repeat("{},", 1000) + `{}]}`, "application/json", "application/json", 400, "JSON could not be parsed at byte 3022: more than 1000 items"},
		{"too long", `{"replicationList":[` + strings.Repeat(" ", maxBody) + `]}`, "application/json", "application/json", 413, "the body is longer than 65536 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var headers []string
			if tt.contentType != "" {
				headers = append(headers, "Content-Type: "+tt.contentType)
			}
			if tt.accept != "" {
				headers = append(headers, "Accept: "+tt.accept)
			}
			a := s.send("POST", "/eureka/peerreplication/batch", tt.body, headers...)
			if a.StatusCode != tt.code || !strings.HasPrefix(a.text, tt.text) {
				t.Errorf("answer = %d %q, want %d %q", a.StatusCode, a.text, tt.code, tt.text)
			}
		})
	}
}

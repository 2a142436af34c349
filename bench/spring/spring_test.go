package spring

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const dirty = 1_795_981_928_653 // of the recording

func TestBodyIsAsRecorded(t *testing.T) {
	recorded, err := os.ReadFile("testdata/registration.json")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer(
		"10.9.9.9", "172.16.0.30", "c40-svc", "standalone-service-1", "C40-SVC", "STANDALONE-SERVICE-1", "9001", "8080",
		`"renewalIntervalInSecs":2,`, `"renewalIntervalInSecs":30,`, `"lastUpdatedTimestamp":1795981926506`, `"lastUpdatedTimestamp":1795981928653`,
	).Replace(string(recorded))
	if diff := cmp.Diff(want, string(AppendBody(nil, 30, dirty))); diff != "" {
		t.Errorf("AppendBody differs from what was recorded (-want +got):\n%s", diff)
	}
}

func TestRequestsAreWhole(t *testing.T) {
	tests := []struct {
		name    string
		request []byte
		line    string
		body    string
	}{
		{name: "registration", request: AppendRegistration(nil, 30, dirty), line: "POST /eureka/apps/STANDALONE-SERVICE-1", body: string(AppendBody(nil, 30, dirty))},
		{name: "heartbeat", request: AppendHeartbeat(nil, 30, dirty), line: "PUT /eureka/apps/STANDALONE-SERVICE-1/172.16.0.30:standalone-service-1:8080?status=UP&lastDirtyTimestamp=1795981928653"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rest := bufio.NewReader(bytes.NewReader(tt.request))
			r, err := http.ReadRequest(rest)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(r.Body)
			if line := r.Method + " " + r.RequestURI; err != nil || line != tt.line || string(body) != tt.body {
				t.Errorf("request is %s with body %q, %v; want %s with %q", line, body, err, tt.line, tt.body)
			}
			if rest.Buffered() > 0 {
				t.Errorf("%d bytes follow the request", rest.Buffered())
			}
		})
	}
}

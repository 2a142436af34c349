package app

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

const registration = `{"instance":{"instanceId":"n1","hostName":"n1","app":"WEB","ipAddr":"10.0.0.9","port":{"$":80,"@enabled":"true"},
"dataCenterInfo":{"@class":"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo","name":"MyOwn"},"metadata":{"text":"TEXT"}}}`

// TestFlagsDecideWhoWrites sends a request to a program that has not begun to
// serve: reads that are permitted are 503 then.
func TestFlagsDecideWhoWrites(t *testing.T) {
	users := filepath.Join(t.TempDir(), "users")
	if err := os.WriteFile(users, []byte("spring:secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const post, get = http.MethodPost, http.MethodGet
	tests := []struct {
		name     string
		args     []string
		method   string
		path     string // that of an application when empty
		text     string // of the metadata
		password string
		want     int
	}{
		{name: "on", method: post, want: 204},
		{name: "only pods", args: []string{"--self-registration=pods-only"}, method: post, want: 403},
		{name: "off", args: []string{"--self-registration=off"}, method: post, want: 405},
		{name: "up to the longest body", args: []string{"--max-body=2Ki"}, method: post, text: strings.Repeat("x", 1<<10), want: 204},
		{name: "over the longest body", args: []string{"--max-body=2Ki"}, method: post, text: strings.Repeat("x", 2<<10), want: 413},
		{name: "users, nobody", args: []string{"--auth-file=" + users}, method: post, want: 401},
		{name: "users, one of them", args: []string{"--auth-file=" + users}, method: post, password: "secret", want: 204},
		{name: "users, a wrong password", args: []string{"--auth-file=" + users}, method: post, password: "Secret", want: 401},
		{name: "users, read by anybody", args: []string{"--auth-file=" + users}, method: get, want: 503},
		{name: "closed reads", args: []string{"--auth-file=" + users, "--auth-reads"}, method: get, want: 401},
		{name: "closed reads, one of the users", args: []string{"--auth-file=" + users, "--auth-reads"}, method: get, password: "secret", want: 503},
		{name: "closed reads, page for people", args: []string{"--auth-file=" + users, "--auth-reads"}, method: get, path: "/", want: 401},
		{name: "closed reads, page for one of the users", args: []string{"--auth-file=" + users, "--auth-reads"}, method: get, path: "/", password: "secret", want: 503},
		{name: "closed reads without writes", args: []string{"--auth-file=" + users, "--auth-reads", "--self-registration=off"}, method: get, want: 401},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := parse(t, append([]string{"--manifests=" + t.TempDir()}, tt.args...), nil)
			p, err := newParts(o, source{}, prometheus.NewRegistry())
			if err != nil {
				t.Fatal(err)
			}
			request := httptest.NewRequest(tt.method, cmp.Or(tt.path, "/eureka/apps/WEB"), strings.NewReader(strings.Replace(registration, "TEXT", tt.text, 1)))
			request.Header.Set("Content-Type", "application/json")
			if tt.password != "" {
				request.SetBasicAuth("spring", tt.password)
			}
			answer := httptest.NewRecorder()
			p.api.ServeHTTP(answer, request)
			if answer.Code != tt.want {
				t.Errorf("%s is answered %d %q, want %d", tt.method, answer.Code, answer.Body, tt.want)
			}
		})
	}
}

func TestLongestBodyBoundsMetadataUpdates(t *testing.T) {
	p, err := newParts(parse(t, []string{"--manifests=" + t.TempDir(), "--max-body=2Ki"}, nil), source{}, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	send := func(method, path, body string, want int) {
		t.Helper()
		answer := httptest.NewRecorder()
		p.api.ServeHTTP(answer, httptest.NewRequest(method, path, strings.NewReader(body)))
		if answer.Code != want {
			t.Errorf("%s %.40s is answered %d %q, want %d", method, path, answer.Code, answer.Body, want)
		}
	}
	send(http.MethodPost, "/eureka/apps/WEB", registration, 204)
	send(http.MethodPut, "/eureka/apps/WEB/n1/metadata?a="+strings.Repeat("x", 1<<10), "", 200)
	send(http.MethodPut, "/eureka/apps/WEB/n1/metadata?b="+strings.Repeat("x", 1<<10), "", 413)
}

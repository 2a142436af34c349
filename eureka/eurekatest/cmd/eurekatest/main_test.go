package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	broken := httptest.NewServer(http.NotFoundHandler())
	defer broken.Close()
	readOnly := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	}))
	defer readOnly.Close()
	tests := []struct {
		name string
		args []string
		code int
		says string // in what is printed
	}{
		{"list", []string{"-list"}, 0, "heartbeat/unknown "},
		{"list some", []string{"-list", "-run", "^lease/"}, 0, "lease/ends "},
		{"help", []string{"-help"}, 0, "Usage: eurekatest [flags] URL"},
		{"no URL", nil, 2, "want one URL"},
		{"two URLs", []string{"http://a/eureka", "http://b/eureka"}, 2, "want one URL"},
		{"no scheme", []string{"localhost:8761/eureka"}, 2, "base URL: want http(s)://HOST[:PORT]/PATH"},
		{"a secret in a bad URL", []string{"http://me:s3cret@%zz/"}, 2, "base URL: "},
		{"no such check", []string{"-run", "nothing", "http://a/eureka"}, 2, `no check's name matches "nothing"`},
		{"bad pattern", []string{"-run", "(", "http://a/eureka"}, 2, "-run: error parsing regexp"},
		{"unknown flag", []string{"-fast"}, 2, "flag provided but not defined: -fast"},
		{"nobody there", []string{"http://127.0.0.1:1/eureka"}, 2, "connection refused"},
		{"no registrations taken", []string{readOnly.URL}, 2, "the server takes no registrations from here"},
		{"no path", []string{broken.URL + "/"}, 2, "want 200 before anything else is asked; is /eureka missing from the URL?\n"},
		{"no Eureka there", []string{broken.URL + "/eureka"}, 2, "want 200 before anything else is asked\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			if got := run(t.Context(), tt.args, &out, &out); got != tt.code {
				t.Errorf("exit code %d, want %d", got, tt.code)
			}
			if !strings.Contains(out.String(), tt.says) || strings.Contains(out.String(), "s3cret") {
				t.Errorf("printed:\n%s\nwant in it: %s", out.String(), tt.says)
			}
		})
	}
}

package telemetry

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

func TestJSON(t *testing.T) {
	handler := JSON(func(query url.Values) (any, error) {
		if query.Has("fail") {
			return nil, errors.New("no such filter")
		}
		if query.Has("wait") {
			return nil, fmt.Errorf("pods: %w", Unavailable{errors.New("not synced")})
		}
		return query, nil
	})
	tests := []struct {
		name, query string
		code        int
		body        string
	}{
		{name: "no query", code: http.StatusOK, body: "{}\n"},
		{name: "two parameters", query: "?namespace=shop&service=a%26b", code: http.StatusOK,
			body: "{\n  \"namespace\": [\n    \"shop\"\n  ],\n  \"service\": [\n    \"a&b\"\n  ]\n}\n"},
		{name: "a value that is no text", query: "?namespace=%zz", code: http.StatusBadRequest, body: "read query: invalid URL escape \"%zz\"\n"},
		{name: "beside one that is", query: "?listed=false&namespace=%zz", code: http.StatusBadRequest, body: "read query: invalid URL escape \"%zz\"\n"},
		{name: "a semicolon between two", query: "?namespace=shop;listed=false", code: http.StatusBadRequest, body: "read query: invalid semicolon separator in query\n"},
		{name: "one parameter twice", query: "?namespace=shop&listed=false&namespace=web", code: http.StatusBadRequest, body: "parameter \"namespace\" is given 2 times\n"},
		{name: "the same twice", query: "?listed=false&listed=false", code: http.StatusBadRequest, body: "parameter \"listed\" is given 2 times\n"},
		{name: "what get refuses", query: "?fail=1", code: http.StatusBadRequest, body: "no such filter\n"},
		{name: "what get cannot answer yet", query: "?wait=1", code: http.StatusServiceUnavailable, body: "pods: not synced\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/pods"+tt.query, nil))
			if answer.Code != tt.code || answer.Body.String() != tt.body {
				t.Errorf("%s = %d %q, want %d %q", tt.query, answer.Code, answer.Body, tt.code, tt.body)
			}
		})
	}
}

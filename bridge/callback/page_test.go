package callback

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestRequests_NotFromAPage sends what a page in a browser could send, which has no
// type when the page sends a Blob, and an Origin that is this server's own when the
// page's name was made to lead here.
func TestRequests_NotFromAPage(t *testing.T) {
	none := map[string]string{}
	tests := []struct {
		name           string
		header         map[string]string
		post, withdraw int
	}{
		{name: "a program", header: none, post: 200, withdraw: 200},
		{name: "JSON", header: map[string]string{"Content-Type": "application/json; charset=utf-8"}, post: 200, withdraw: 200},
		{name: "text", header: map[string]string{"Content-Type": "text/plain;charset=UTF-8"}, post: 415, withdraw: 200},
		{name: "text with a parameter twice", header: map[string]string{"Content-Type": "Text/Plain;a=b;a=b"}, post: 415, withdraw: 200},
		{name: "a form", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, post: 415, withdraw: 200},
		{name: "a form with files", header: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}, post: 415, withdraw: 200},
		{name: "another site", header: map[string]string{"Origin": "https://evil.example"}, post: 403, withdraw: 403},
		{name: "a page without an origin", header: map[string]string{"Origin": "null"}, post: 403, withdraw: 403},
		{name: "a name that was made to lead here", header: map[string]string{"Origin": "http://example.com", "Content-Type": "application/json"}, post: 403, withdraw: 403},
		{name: "fetch metadata", header: map[string]string{"Sec-Fetch-Site": "cross-site"}, post: 403, withdraw: 403},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, nil, func(r *rig) {
				send := func(method, body string, header map[string]string) int {
					request := httptest.NewRequest(method, "/services", strings.NewReader(body))
					for name, value := range header {
						request.Header.Set(name, value)
					}
					answer := httptest.NewRecorder()
					r.bridge.ServeHTTP(answer, request)
					return answer.Code
				}
				if got := send(http.MethodPost, valid("", ""), tt.header); got != tt.post {
					r.Errorf("POST = %d, want %d", got, tt.post)
				}
				send(http.MethodPost, valid("", ""), none)
				if got := send(http.MethodDelete, "http://10.0.0.1:4000", tt.header); got != tt.withdraw {
					r.Errorf("DELETE = %d, want %d", got, tt.withdraw)
				}
			})
		})
	}
}

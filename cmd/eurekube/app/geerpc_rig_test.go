package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
)

const geeRPCPath = "/_geerpc_/registry"

// post sends headers, written as "Name: value", to the registry of GeeRPC from an
// address, and wants a status.
func (r *rig) post(code int, from string, headers ...string) *httptest.ResponseRecorder {
	r.Helper()
	req := httptest.NewRequestWithContext(r.Context(), http.MethodPost, geeRPCPath, http.NoBody)
	req.RemoteAddr = from
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		req.Header.Add(name, value)
	}
	answer := httptest.NewRecorder()
	r.api.ServeHTTP(answer, req)
	if answer.Code != code || code == http.StatusOK && answer.Body.Len() > 0 {
		r.Errorf("POST %q from %s = %d %q, want %d", headers, from, answer.Code, answer.Body, code)
	}
	return answer
}

// posts wants servers to be taken that post from one address.
func (r *rig) posts(servers ...string) {
	r.Helper()
	for _, text := range servers {
		r.post(http.StatusOK, "192.0.2.7:40000", "X-Geerpc-Server: "+text)
	}
}

// wantServers compares the list of GeeRPC, which is in a header and nowhere else.
func (r *rig) wantServers(want string) {
	r.Helper()
	answer := r.get(geeRPCPath)
	got, there := answer.Header()["X-Geerpc-Servers"]
	if answer.Code != http.StatusOK || !there || len(got) != 1 || got[0] != want || answer.Body.Len() > 0 {
		r.Errorf("GET = %d with %q and body %q, want 200 with %q and nothing", answer.Code, got, answer.Body, want)
	}
}

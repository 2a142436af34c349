package app

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestGeeRPC_OnTheWire writes requests byte by byte, in one connection, and reads
// whole answers: the programs that speak this protocol look at nothing else.
func TestGeeRPC_OnTheWire(t *testing.T) {
	p := launch(t, "--bridge=geerpc", "--manifests", manifests(t, pod("a", "10.0.0.5", "orders", annotation("geerpc", "tcp"))))
	const get = "GET /_geerpc_/registry HTTP/1.1\r\nHost: eurekube\r\n\r\n"
	post := func(headers string) string {
		return "POST /_geerpc_/registry HTTP/1.1\r\nHost: eurekube\r\n" + headers + "Content-Length: 0\r\n\r\n"
	}
	tests := []struct {
		name, request string
		want          string // status, header lines, body; without Date and Content-Length
	}{
		{"list", get, "200 OK|X-Geerpc-Servers: tcp@10.0.0.5:8080|"},
		{"post", post("X-Geerpc-Server: tcp@[::]:56276\r\n"), "200 OK|"},
		{"list with what was posted", get, "200 OK|X-Geerpc-Servers: tcp@10.0.0.5:8080,tcp@[::]:56276|"},
		{"post in another case, with space around", post("x-geerpc-server:  http@b.example:80 \r\n"), "200 OK|"},
		{"post without the header", post(""), "500 Internal Server Error|"},
		{"two headers", post("X-Geerpc-Server: tcp@a:1\r\nX-Geerpc-Server: tcp@a:1\r\n"),
			"400 Bad Request|Content-Type: text/plain; charset=utf-8|X-Content-Type-Options: nosniff|X-Geerpc-Server is there twice\n"},
		{"nonsense", post("X-Geerpc-Server: 10.0.0.5:80\r\n"),
			"400 Bad Request|Content-Type: text/plain; charset=utf-8|X-Content-Type-Options: nosniff|X-Geerpc-Server: \"10.0.0.5:80\" does not begin with a protocol, such as tcp@\n"},
		{"post of a web page", post("Origin: https://evil.example\r\nX-Geerpc-Server: tcp@evil.example:1\r\n"),
			"403 Forbidden|Content-Type: text/plain; charset=utf-8|X-Content-Type-Options: nosniff|a web page of another origin may not write; Sec-Fetch-Site or Origin says that it is one\n"},
		{"another method", "DELETE /_geerpc_/registry HTTP/1.1\r\nHost: eurekube\r\n\r\n", "405 Method Not Allowed|Allow: GET, POST|"},
		{"list after nonsense", get, "200 OK|X-Geerpc-Servers: http@b.example:80,tcp@10.0.0.5:8080,tcp@[::]:56276|"},
	}
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.clients, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	for _, tt := range tests {
		if _, err := io.WriteString(conn, tt.request); err != nil {
			t.Fatal(err)
		}
		if got := answer(t, answers); got != tt.want {
			t.Errorf("%s: answer is %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, body := p.do(newClient(t), http.MethodGet, p.clients+"/eureka/apps/GEERPC", asJSON); !strings.Contains(body, `"ipAddr":"127.0.0.1","`) || !strings.Contains(body, `"geerpc":"tcp@[::]:56276"`) {
		t.Errorf("Eureka clients read %s, want the address that the POST came from", body)
	}
}

// answer is a response in one line: its status, its headers in order but for the
// date and the length, and its body.
func answer(t *testing.T, from *bufio.Reader) string {
	t.Helper()
	resp, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := resp.Header.WriteSubset(&text, map[string]bool{"Date": true, "Content-Length": true}); err != nil {
		t.Fatal(err)
	}
	return resp.Status + "|" + strings.ReplaceAll(text.String(), "\r\n", "|") + string(body)
}

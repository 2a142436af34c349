package callback

import (
	"strings"
	"testing"
)

func TestParseEndpoint(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // as it is called; empty for an error
		id         string
	}{
		{name: "plain", text: "http://orders.shop.svc:8080/beat?a=b", want: "http://orders.shop.svc:8080/beat?a=b", id: "orders.shop.svc:8080/beat?a=b"},
		{name: "without slashes", text: "http:localhost:4000", want: "http://localhost:4000", id: "localhost:4000"},
		{name: "without slashes, with a path", text: "http:localhost:4000/beat", want: "http://localhost:4000/beat", id: "localhost:4000/beat"},
		{name: "default port", text: "http://Orders/", want: "http://orders:80/", id: "orders:80"},
		{name: "default port of https", text: "HTTPS://orders", want: "https://orders:443", id: "orders:443"},
		{name: "dot at the end of the name", text: "http://orders.shop.:1/", want: "http://orders.shop:1/", id: "orders.shop:1"},
		{name: "name of a container", text: "http://log_service:1", want: "http://log_service:1", id: "log_service:1"},
		{name: "IPv6", text: "http://[FD00:0:0::1]:4000/", want: "http://[fd00::1]:4000/", id: "[fd00::1]:4000"},
		{name: "mapped", text: "http://[::ffff:10.0.0.1]/", want: "http://10.0.0.1:80/", id: "10.0.0.1:80"},
		{name: "decimal", text: "http://2130706433/", want: "http://127.0.0.1:80/", id: "127.0.0.1:80"},
		{name: "octal", text: "http://0177.0.0.1/", want: "http://127.0.0.1:80/", id: "127.0.0.1:80"},
		{name: "hexadecimal", text: "http://0x7f.0x0.0x0.0x1/", want: "http://127.0.0.1:80/", id: "127.0.0.1:80"},
		{name: "short", text: "http://127.1/", want: "http://127.0.0.1:80/", id: "127.0.0.1:80"},
		{name: "hexadecimal whole", text: "http://0xA9FEA9FE/", want: "http://169.254.169.254:80/", id: "169.254.169.254:80"},
		{name: "percent-encoded host", text: "http://%31%32%37.0.0.1/"},
		{name: "empty", text: ""},
		{name: "no scheme", text: "localhost:4000"},
		{name: "path alone", text: "/beat"},
		{name: "one slash", text: "http:/localhost:4000"},
		{name: "no host", text: "http://"},
		{name: "no host but a port", text: "http://:80/"},
		{name: "another scheme", text: "file:///etc/passwd"},
		{name: "gopher", text: "gopher://10.0.0.1:6379/_x"},
		{name: "user", text: "http://user@10.0.0.1/"},
		{name: "user and password", text: "http://10.0.0.1:80@169.254.169.254/"},
		{name: "empty user", text: "http://@10.0.0.1/"},
		{name: "fragment", text: "http://10.0.0.1/#x"},
		{name: "query with a space", text: "http://10.0.0.1/?a HTTP/1.1"},
		{name: "query in Chinese", text: "http://10.0.0.1/?名"},
		{name: "port 0", text: "http://10.0.0.1:0/"},
		{name: "port too large", text: "http://10.0.0.1:65536/"},
		{name: "port that is a word", text: "http://10.0.0.1:http/"},
		{name: "number too large", text: "http://4294967296/"},
		{name: "part too large", text: "http://256.0.0.1/"},
		{name: "five parts", text: "http://1.2.3.4.5/"},
		{name: "octal of nine", text: "http://0199.0.0.1/"},
		{name: "underscores in a number", text: "http://1_0.0.0.1/"},
		{name: "ends in a number", text: "http://example.0/"},
		{name: "0x alone", text: "http://0x/"},
		{name: "backslash", text: `http://10.0.0.1\@169.254.169.254/`},
		{name: "wide digits", text: "http://１２７.0.0.1/"},
		{name: "ideographic full stop", text: "http://127。0。0。1/"},
		{name: "zone", text: "http://[fe80::1%25eth0]/"},
		{name: "two names", text: "http://a b/"},
		{name: "control character", text: "http://10.0.0.1/\r\nX: y"},
		{name: "empty label", text: "http://a..b/"},
		{name: "long label", text: "http://" + strings.Repeat("a", 64) + "/"},
		{name: "long", text: "http://10.0.0.1/" + strings.Repeat("a", maxURL)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := parseEndpoint(tt.text)
			if tt.want == "" {
				if err == nil {
					t.Errorf("parseEndpoint(%q) = %s, want an error", tt.text, e.url)
				}
				return
			}
			if err != nil {
				t.Fatalf("parseEndpoint(%q): %v", tt.text, err)
			}
			if e.url.String() != tt.want || e.id() != tt.id {
				t.Errorf("parseEndpoint(%q) = %s, %s, want %s, %s", tt.text, e.url, e.id(), tt.want, tt.id)
			}
		})
	}
}

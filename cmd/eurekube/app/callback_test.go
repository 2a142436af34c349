package app

import (
	"io"
	"strings"
	"testing"
	"time"
)

// TestCallback_EndsRequestsThatDoNotCome has clients that begin a request and send no
// more of it.
func TestCallback_EndsRequestsThatDoNotCome(t *testing.T) {
	tests := []struct{ name, begun, answer string }{
		{name: "nothing"},
		{name: "a line", begun: "POST /serv", answer: "HTTP/1.1 400 "},
		{name: "headers", begun: "POST /services HTTP/1.1\r\nHost: eurekube\r\nX-Slow", answer: "HTTP/1.1 400 "},
		{name: "a body", begun: "POST /services HTTP/1.1\r\nHost: eurekube\r\nContent-Length: 100\r\n\r\n{", answer: "HTTP/1.1 400 "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.serve("--bridge=callback", "--header-timeout=5s")
				conn := r.listen(r.callback.Handler, r.callback.Timeouts, nil)()
				defer conn.Close()
				start := time.Now()
				if tt.begun != "" {
					if _, err := io.WriteString(conn, tt.begun); err != nil {
						t.Fatal(err)
					}
				}
				if err := conn.SetReadDeadline(start.Add(time.Hour)); err != nil {
					t.Fatal(err)
				}
				answer, err := io.ReadAll(conn)
				took := time.Since(start).Truncate(time.Second) // Go lingers for half a second after an answer
				if err != nil || took != 5*time.Second || !strings.HasPrefix(string(answer), tt.answer) || tt.answer == "" && len(answer) > 0 {
					t.Errorf("the connection ended after %v with %q, %v; want 5s and %q", took, answer, err, tt.answer)
				}
			})
		})
	}
}

package contact_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eurekube/eurekube/internal/contact"
)

type answer func(*http.Request) (*http.Response, error)

func (a answer) RoundTrip(req *http.Request) (*http.Response, error) { return a(req) }

func TestAge(t *testing.T) {
	ok := func(body io.Reader) answer {
		return func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(body)}, nil
		}
	}
	tests := map[string]struct {
		server answer
		want   time.Duration // one minute after New; the request is sent after 20 s, its body is read after 50 s
	}{
		"headers and a piece of the body": {server: ok(strings.NewReader("bookmark")), want: 10 * time.Second},
		"headers only, the body ends":     {server: ok(strings.NewReader("")), want: 40 * time.Second},
		"a refused connection is no sign": {server: func(*http.Request) (*http.Response, error) { return nil, errors.New("refused") }, want: time.Minute},
		"an answer that is an error is a sign": {server: func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 500, Body: http.NoBody}, nil
		}, want: 40 * time.Second},
		"an upgraded connection keeps its body": {server: upgraded, want: 40 * time.Second},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := contact.New()
				time.Sleep(20 * time.Second)
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://api.example/", nil)
				if err != nil {
					t.Fatal(err)
				}
				resp, err := c.Wrap(tt.server).RoundTrip(req)
				time.Sleep(30 * time.Second)
				if err == nil {
					if _, isConn := resp.Body.(io.Writer); resp.StatusCode == http.StatusSwitchingProtocols && !isConn {
						t.Error("the body of an upgraded connection can no longer be written to")
					}
					_, _ = io.ReadAll(resp.Body)
					resp.Body.Close()
				}
				time.Sleep(10 * time.Second)
				if got := c.Age(); got != tt.want {
					t.Errorf("Age() = %v, want %v", got, tt.want)
				}
			})
		})
	}
}

// conn is the body of an upgraded connection.
type conn struct{ io.Reader }

func (conn) Write(p []byte) (int, error) { return len(p), nil }
func (conn) Close() error                { return nil }

func upgraded(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusSwitchingProtocols, Body: conn{strings.NewReader("frame")}}, nil
}

func TestAge_BeforeAnyAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := contact.New()
		time.Sleep(7 * time.Second)
		if got, want := c.Age(), 7*time.Second; got != want {
			t.Errorf("Age() = %v, want %v: a server that never answers grows old from the start", got, want)
		}
	})
}

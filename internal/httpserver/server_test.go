package httpserver

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var answerOK = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	io.WriteString(w, "ok") //nolint:errcheck // the client's view is what is tested
})

func TestListen_Errors(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	tests := []struct {
		name string
		cfg  Config
		want string
	}{
		{
			name: "port taken",
			cfg:  Config{Name: "api", Addr: taken.Addr().String()},
			want: "address already in use",
		},
		{
			name: "no such certificate",
			cfg:  Config{Name: "api", Addr: "127.0.0.1:0", TLSCertFile: "testdata/none.crt", TLSKeyFile: "testdata/none.key"},
			want: "read certificate: open testdata/none.crt",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := New(tt.cfg).Listen(t.Context())
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "serve api: ") {
				t.Errorf("Listen() = %v, want an error of server api with %q", err, tt.want)
			}
		})
	}
}

func TestRun_BeforeListen(t *testing.T) {
	if err := New(Config{Name: "api"}).Run(t.Context()); err == nil {
		t.Error("Run() = nil, want an error")
	}
}

func TestRun_ListenerLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, stop := runInBubble(t, t.Context(), Config{Name: "api", Handler: answerOK})
		l.Close()
		synctest.Wait()
		if err := stop(); err == nil {
			t.Error("Run() = nil although its listener was lost, want an error")
		}
	})
}

var timeouts = Timeouts{Header: 10 * time.Second, Read: 20 * time.Second, Write: 60 * time.Second, Idle: 90 * time.Second}

// TestTimeouts measures how long a client that stops sending keeps its connection.
func TestTimeouts(t *testing.T) {
	tests := []struct {
		name    string
		send    string
		answers bool // an answer comes first, and the clock starts behind it
		want    time.Duration
	}{
		{name: "headers that never end", send: "GET / HTTP/1.1\r\nHost: a\r\n", want: timeouts.Header},
		{name: "body that never comes", send: "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n", want: timeouts.Read},
		{name: "no next request", send: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", answers: true, want: timeouts.Idle},
	}
	readAll := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) //nolint:errcheck // the client's view is what is tested
	})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, stop := runInBubble(t, t.Context(), Config{Name: "api", Handler: readAll, Timeouts: timeouts})
				conn := send(t, l, tt.send)
				answers := bufio.NewReader(conn)
				if tt.answers {
					if _, err := http.ReadResponse(answers, nil); err != nil {
						t.Fatal(err)
					}
				}
				start := time.Now()
				io.Copy(io.Discard, answers) //nolint:errcheck // ends when the server hangs up
				if got := time.Since(start); got != tt.want {
					t.Errorf("the server hung up after %v, want %v", got, tt.want)
				}
				if err := stop(); err != nil {
					t.Errorf("Run() = %v, want nil", err)
				}
			})
		})
	}
}

// TestWriteTimeout measures how long a client that does not read can hold a handler.
func TestWriteTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		held := make(chan time.Duration, 1)
		l, stop := runInBubble(t, t.Context(), Config{Name: "api", Timeouts: timeouts,
			Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				for {
					if _, err := w.Write(make([]byte, 4096)); err != nil {
						held <- time.Since(start)
						return
					}
				}
			})})
		send(t, l, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
		if got := <-held; got != timeouts.Write {
			t.Errorf("the handler was held %v, want %v", got, timeouts.Write)
		}
		if err := stop(); err != nil {
			t.Errorf("Run() = %v, want nil", err)
		}
	})
}

func send(t *testing.T, l *pipeListener, request string) net.Conn {
	t.Helper()
	conn, err := l.dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestMaxHeaderBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, stop := runInBubble(t, t.Context(), Config{Name: "api", Handler: answerOK, StopTimeout: time.Second})
		client := &http.Client{Transport: &http.Transport{DialContext: l.dial, DisableKeepAlives: true}}
		for _, tt := range []struct{ size, want int }{
			{size: MaxHeaderBytes / 2, want: http.StatusOK},
			{size: MaxHeaderBytes * 2, want: http.StatusRequestHeaderFieldsTooLarge},
		} {
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://server/", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("X-Long", strings.Repeat("a", tt.size))
			answer, err := client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode != tt.want {
				t.Errorf("a header of %d bytes was answered %d, want %d", tt.size, answer.StatusCode, tt.want)
			}
		}
		if err := stop(); err != nil {
			t.Errorf("Run() = %v, want nil", err)
		}
	})
}

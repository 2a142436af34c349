package client_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
)

// knows is a discovery that knows instances, and picks the first by id.
func knows(t *testing.T, instances ...*eureka.Instance) *client.Discovery {
	t.Helper()
	n := newNetwork()
	n.serve("a", plain(startEurekube(t, instances...)))
	first := client.PickerFunc(func(_ string, instances []*eureka.Instance) *eureka.Instance { return instances[0] })
	d := discover(t, servers(t, n, "a"), client.DiscoveryConfig{Picker: first})
	if err := d.WaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	return d
}

// at is inst where a server listens; "" is where nobody does: another program may
// be given a port that was free just now, but not port 1.
func at(t *testing.T, inst *eureka.Instance, listens string) *eureka.Instance {
	t.Helper()
	if listens == "" {
		listens = "http://127.0.0.1:1"
	}
	u, err := url.Parse(listens)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	inst.HostName, inst.IPAddr = u.Hostname(), u.Hostname()
	if u.Scheme == "https" {
		inst.SecurePort = eureka.Port{Number: port, Enabled: true}
	} else {
		inst.Port.Number = port
	}
	return inst
}

// echo answers with what it was asked.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = io.WriteString(w, r.Method+" "+r.URL.RequestURI()+" "+string(body))
})

func TestTransportCallsAnInstance(t *testing.T) {
	server, secure := httptest.NewServer(echo), httptest.NewTLSServer(echo)
	t.Cleanup(server.Close)
	t.Cleanup(secure.Close)
	d := knows(t,
		at(t, instance("ORDERS", "1"), ""), at(t, instance("ORDERS", "2"), ""), at(t, instance("ORDERS", "3"), server.URL),
		at(t, instance("SAFE", "1"), secure.URL),
		at(t, instance("GONE", "1"), ""), at(t, instance("GONE", "2"), ""), at(t, instance("GONE", "3"), ""), at(t, instance("GONE", "4"), server.URL),
		with(instance("DOWN", "1"), func(i *eureka.Instance) { i.Status = eureka.StatusDown }),
		at(t, instance("MY_APP.X", "1"), server.URL),
	)
	tests := []struct {
		name, url string
		body      io.Reader
		want      string // the answer, or what the error says
	}{
		{"third instance", "http://orders/a%2Fb?c=d", nil, "GET /a%2Fb?c=d "},
		{"body that can be had again", "http://ORDERS/", strings.NewReader("hello"), "POST / hello"},
		{"body that cannot", "http://ORDERS/", io.MultiReader(strings.NewReader("hello")), "connection refused"},
		{"secure port", "http://SAFE/x", nil, "GET /x "},
		{"https", "https://SAFE/x", nil, "GET /x "},
		{"https without a secure port", "https://ORDERS/", nil, `instance 1 of "ORDERS" cannot be called by https`},
		{"three refuse", "http://GONE/", nil, `instance 3 of "GONE": dial tcp`},
		{"nobody UP", "http://down/", nil, `"down": none of 1 listed is UP`},
		{"unknown", "http://nobody/", nil, `"nobody": nobody is listed by this name`},
		{"port", "http://ORDERS:8080/", nil, `"ORDERS:8080": an app is called by its name alone, without a port`},
		{"any name", "http://my_app.x/", nil, "GET / "},
	}
	next := secure.Client().Transport.(*http.Transport)
	t.Cleanup(next.CloseIdleConnections)
	caller := &http.Client{Transport: client.NewTransport(d, next)}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			method := http.MethodGet
			if tt.body != nil {
				method = http.MethodPost
			}
			r, err := http.NewRequestWithContext(t.Context(), method, tt.url, tt.body)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := caller.Do(r)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil {
					t.Fatal(err)
				}
				got = string(body)
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("%s = %q, want %q", tt.url, got, tt.want)
			}
		})
	}
}

// TestTransportRepeatsOnlyWhatNeverLeft has instances fail in ways after which a
// request may have been carried out.
func TestTransportRepeatsOnlyWhatNeverLeft(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want int // instances that were asked
	}{
		{"refused", &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, 2},
		{"no route", &net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH}, 2},
		{"reset while reading", &net.OpError{Op: "read", Err: syscall.ECONNRESET}, 1},
		{"reset while writing", &net.OpError{Op: "write", Err: syscall.ECONNRESET}, 1},
		{"cut", io.ErrUnexpectedEOF, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := knows(t, instance("ORDERS", "1"), instance("ORDERS", "2"))
			asked := 0
			transport := client.NewTransport(d, roundTripper(func(*http.Request) (*http.Response, error) { asked++; return nil, tt.err }))
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://ORDERS/", nil)
			if _, err := transport.RoundTrip(r); !errors.Is(err, tt.err) {
				t.Errorf("RoundTrip = %v, want %v", err, tt.err)
			}
			if asked != tt.want {
				t.Errorf("%d instances were asked, want %d", asked, tt.want)
			}
		})
	}
}

// TestTransportSendsTheWholeBodyAgain has the first instance refuse after the body was
// read and closed, as a RoundTripper may leave it.
func TestTransportSendsTheWholeBodyAgain(t *testing.T) {
	d := knows(t, instance("ORDERS", "1"), instance("ORDERS", "2"))
	var sent []string
	transport := client.NewTransport(d, roundTripper(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		sent = append(sent, string(body))
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	}))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://ORDERS/", strings.NewReader("hello"))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("hello")), nil }
	if _, err := transport.RoundTrip(r); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("RoundTrip = %v, want that both refuse", err)
	}
	if diff := cmp.Diff([]string{"hello", "hello"}, sent); diff != "" {
		t.Errorf("bodies (-want +got):\n%s", diff)
	}
}

// TestTransportNeedsTheWholeBody has a body that can be had again for as long as
// nobody asks: half of one must not be sent.
func TestTransportNeedsTheWholeBody(t *testing.T) {
	d := knows(t, instance("ORDERS", "1"), instance("ORDERS", "2"))
	asked := 0
	transport := client.NewTransport(d, roundTripper(func(*http.Request) (*http.Response, error) {
		asked++
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	}))
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://ORDERS/", strings.NewReader("hello"))
	lost := errors.New("the file is gone")
	r.GetBody = func() (io.ReadCloser, error) { return nil, lost }
	if _, err := transport.RoundTrip(r); !errors.Is(err, lost) || asked != 1 {
		t.Errorf("RoundTrip = %v after %d instances, want %v after one", err, asked, lost)
	}
}

func TestTransportObeysItsContext(t *testing.T) {
	d := knows(t, instance("ORDERS", "1"), instance("ORDERS", "2"))
	ctx, cancel := context.WithCancel(t.Context())
	asked := 0
	transport := client.NewTransport(d, roundTripper(func(r *http.Request) (*http.Response, error) {
		asked++
		cancel()
		return nil, &net.OpError{Op: "dial", Err: r.Context().Err()}
	}))
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://ORDERS/", nil)
	if _, err := transport.RoundTrip(r); !errors.Is(err, context.Canceled) || asked != 1 {
		t.Errorf("RoundTrip = %v after %d instances, want that it ends with its context", err, asked)
	}
}

// TestTransportLeavesTheRequestAlone holds what http.RoundTripper demands.
func TestTransportLeavesTheRequestAlone(t *testing.T) {
	d := knows(t, with(instance("ORDERS", "1"), func(i *eureka.Instance) { i.HostName = "[2001:db8::1]" }))
	var hosts []string
	transport := client.NewTransport(d, roundTripper(func(r *http.Request) (*http.Response, error) {
		hosts = append(hosts, r.Host+" at "+r.URL.String())
		r.Header.Set("X", "1")
		return nil, io.EOF
	}))
	for _, host := range []string{"ORDERS", "", "shop.example"} {
		body := &closeCounter{}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://ORDERS/x", body)
		r.Host = host
		_, _ = transport.RoundTrip(r)
		if r.URL.String() != "http://ORDERS/x" || r.Host != host || len(r.Header) != 0 {
			t.Errorf("the caller's request became %s for %q with %v", r.URL, r.Host, r.Header)
		}
	}
	want := []string{"[2001:db8::1]:8080 at http://[2001:db8::1]:8080/x", "[2001:db8::1]:8080 at http://[2001:db8::1]:8080/x", "shop.example at http://[2001:db8::1]:8080/x"}
	if diff := cmp.Diff(want, hosts); diff != "" {
		t.Errorf("hosts (-want +got):\n%s", diff)
	}
	for _, target := range []string{"http://nobody/", "https://ORDERS/"} { // which has no secure port
		body := &closeCounter{}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, body)
		if _, err := transport.RoundTrip(r); err == nil || body.closed == 0 {
			t.Errorf("RoundTrip to %s = %v, its body was closed %d times, want an error and that it was closed", target, err, body.closed)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// closeCounter is an empty body.
type closeCounter struct{ closed int }

func (*closeCounter) Read([]byte) (int, error) { return 0, io.EOF }

func (c *closeCounter) Close() error {
	c.closed++
	return nil
}

package callback

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var portalAddress = netip.MustParseAddr("10.0.0.1")

// names is a resolver.
type names map[string][]string

func (n names) lookup(_ context.Context, _, host string) ([]netip.Addr, error) {
	var all []netip.Addr
	for _, text := range n[host] {
		all = append(all, netip.MustParseAddr(text))
	}
	if all == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return all, nil
}

// connections is what a dialer connected to; none is ever made.
type connections []string

var errNoNetwork = errors.New("there is no network")

func (c *connections) connect(_ context.Context, _, address string) (net.Conn, error) {
	*c = append(*c, address)
	return nil, errNoNetwork
}

func TestDial_JudgesEachAddress(t *testing.T) {
	tests := []struct {
		name string
		host string
		dns  names
		want string // what is connected to
	}{
		{name: "a name", host: "log", dns: names{"log": {"10.0.0.1"}}, want: "[10.0.0.1:80]"},
		{name: "a name with several addresses", host: "log", dns: names{"log": {"10.0.0.1", "fd00::1"}}, want: "[10.0.0.1:80 [fd00::1]:80]"},
		{name: "some are forbidden", host: "log", dns: names{"log": {"127.0.0.1", "10.0.0.1", "::1"}}, want: "[10.0.0.1:80]"},
		{name: "all are forbidden", host: "log", dns: names{"log": {"127.0.0.1", "169.254.169.254"}}, want: "[]"},
		{name: "mapped", host: "log", dns: names{"log": {"::ffff:10.0.0.1"}}, want: "[10.0.0.1:80]"},
		{name: "mapped and forbidden", host: "log", dns: names{"log": {"::ffff:169.254.169.254"}}, want: "[]"},
		{name: "no more than four", host: "log", dns: names{"log": {"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5"}}, want: "[10.0.0.1:80 10.0.0.2:80 10.0.0.3:80 10.0.0.4:80]"},
		{name: "unknown", host: "log", want: "[]"},
		{name: "an address is not looked up", host: "10.0.0.1", dns: names{"10.0.0.1": {"127.0.0.1"}}, want: "[10.0.0.1:80]"},
		{name: "a number is not looked up", host: "2130706433", dns: names{"2130706433": {"10.0.0.1"}}, want: "[]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var made connections
			c := newCaller(DefaultTargets, nil)
			c.dialer.resolve, c.dialer.connect = tt.dns.lookup, made.connect
			to := &callee{endpoint: endpoint{url: &url.URL{Scheme: "http", Host: tt.host, Path: "/"}, host: tt.host, port: 80}}
			if err := c.probe(t.Context(), to, true); err == nil || !isUnsent(err) {
				t.Errorf("probe: %v, want an error that says that it was not sent", err)
			}
			if got := fmt.Sprint(made); got != tt.want {
				t.Errorf("connected to %s, want %s", got, tt.want)
			}
		})
	}
}

// The name of a service leads to a private address when it registers and to
// loopback when it is called.
func TestDial_NamesThatChangeLeadNowhere(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		address := atomic.Value{}
		address.Store("10.0.0.1")
		r.bridge.calls.dialer.resolve = func(ctx context.Context, network, host string) ([]netip.Addr, error) {
			return names{"rebind.example": {address.Load().(string)}}.lookup(ctx, network, host)
		}
		for _, victim := range []string{"127.0.0.1:4000", "169.254.169.254:4000"} {
			r.serve(r.T, victim, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { r.Errorf("%s was called", victim) }))
		}
		r.expect(http.MethodPost, strings.ReplaceAll(valid("", ""), "10.0.0.1", "rebind.example"), http.StatusOK)
		for _, target := range []string{"127.0.0.1", "169.254.169.254"} {
			address.Store(target)
			time.Sleep(time.Minute)
		}
		if r.metric("eurekube_callback_probes_total", "forbidden") == 0 {
			r.Error("no probe was forbidden")
		}
		for _, to := range r.connectedTo() {
			if !strings.HasPrefix(to, "10.") {
				r.Errorf("connected to %s", to)
			}
		}
	})
}

// The kernel is asked last: here the dialer's own judgement is passed by.
func TestControl_RefusesAtConnect(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for name, targets := range map[string]Targets{"allowed": prefixes("127.0.0.0/8"), "forbidden": DefaultTargets} {
		t.Run(name, func(t *testing.T) {
			conn, err := newDialer(targets, nil).connect(t.Context(), "tcp", listener.Addr().String())
			var forbidden *forbiddenError
			if (name == "forbidden") != errors.As(err, &forbidden) {
				t.Errorf("connect: %v", err)
			}
			if conn != nil {
				conn.Close()
			}
		})
	}
}

// The ports of the program are closed to strangers who have the bridge call them, at
// every address of the machine.
func TestDial_NeverTheOwnPorts(t *testing.T) {
	everywhere := prefixes("0.0.0.0/0", "::/0")
	ports := []uint16{8761, 8081, 3000}
	d := newDialer(everywhere, func() []uint16 { return ports })
	own, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	machine := []string{"127.0.0.2", "::ffff:127.0.0.1", "64:ff9b::7f00:1"}
	for _, a := range own {
		addr := netip.MustParsePrefix(a.String()).Addr()
		machine = append(machine, addr.String())
		if everywhere.allow(addr) != (d.judge(netip.AddrPortFrom(addr, 8082)) == mayBeCalled) {
			t.Errorf("another port of %s is judged by the port", addr)
		}
	}
	for _, port := range ports {
		for _, addr := range machine {
			if d.judge(netip.AddrPortFrom(netip.MustParseAddr(addr), port)) == mayBeCalled {
				t.Errorf("%s may be called at the own port %d", addr, port)
			}
		}
		if d.judge(netip.AddrPortFrom(netip.MustParseAddr("198.51.100.1"), port)) != mayBeCalled {
			t.Errorf("port %d of another machine may not be called", port)
		}
	}
}

// The reason is that of the address which the operator can do most about.
func TestDial_TheReasonSaysWhatCanBeDone(t *testing.T) {
	const (
		own       = "port 8081 of this machine is one of Eurekube's own and is never called"
		byTargets = "no address of log may be called: see --callback-targets"
		never     = "log is never called, whatever --callback-targets says"
	)
	tests := []struct {
		name string
		dns  []string
		want string
	}{
		{name: "own port", dns: []string{"127.0.0.1"}, want: own},
		{name: "own port by IPv6", dns: []string{"::ffff:127.0.0.1"}, want: own},
		{name: "outside the targets", dns: []string{"10.0.0.1"}, want: byTargets},
		{name: "own port outside the targets", dns: []string{"::1"}, want: byTargets},
		{name: "metadata", dns: []string{"169.254.169.254"}, want: never},
		{name: "metadata by IPv6", dns: []string{"fd00:ec2::254"}, want: never},
		{name: "link-local with a zone", dns: []string{"fe80::1%eth0"}, want: never},
		{name: "metadata and own port", dns: []string{"169.254.169.254", "127.0.0.1"}, want: own},
		{name: "metadata and outside the targets", dns: []string{"169.254.169.254", "10.0.0.1"}, want: byTargets},
		{name: "own port and outside the targets", dns: []string{"127.0.0.1", "10.0.0.1"}, want: byTargets},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := newDialer(prefixes("127.0.0.0/8"), func() []uint16 { return []uint16{8081} })
			d.resolve = names{"log": tt.dns}.lookup
			if _, err := d.addresses(t.Context(), "log", 8081); err == nil || err.Error() != tt.want {
				t.Errorf("addresses = %v, want %s", err, tt.want)
			}
		})
	}
}

// newNetworkCaller is a caller whose calls go to machines in memory. It is for a
// bubble.
func newNetworkCaller(t *testing.T, n *network) *caller {
	c := newCaller(prefixes("10.0.0.0/8"), nil)
	c.dialer.connect = n.connect
	t.Cleanup(c.transport.CloseIdleConnections)
	return c
}

func calleeAt(t *testing.T, url string) *callee {
	t.Helper()
	e, err := parseEndpoint(url)
	if err != nil {
		t.Fatal(err)
	}
	return &callee{endpoint: e}
}

func deliver(t *testing.T, c *caller, to *callee) error {
	_, err := c.deliver(t.Context(), to, false, func() []byte { return []byte("{}") })
	return err
}

func TestCalls_FollowNoRedirectAndNoProxy(t *testing.T) {
	const victim = "10.0.0.2:80"
	t.Setenv("HTTP_PROXY", "http://"+victim)
	t.Setenv("http_proxy", "http://"+victim)
	for _, status := range []int{301, 302, 303, 307, 308} {
		synctest.Test(t, func(t *testing.T) {
			n := newNetwork()
			n.serve(t, victim, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the victim was called") }))
			n.serve(t, "10.0.0.1:80", http.RedirectHandler("http://"+victim, status))
			c, e := newNetworkCaller(t, n), calleeAt(t, "http://10.0.0.1")
			var answered *statusError
			if err := c.probe(t.Context(), e, true); !errors.As(err, &answered) || answered.status != status {
				t.Errorf("probe that is redirected: %v, want status %d", err, status)
			}
			if err := deliver(t, c, e); !errors.As(err, &answered) || answered.status != status {
				t.Errorf("patch that is redirected: %v, want status %d", err, status)
			}
		})
	}
}

// endlessly answers with text and, if there is more to say, says it again and again:
// until the other side hangs up, or has taken a megabyte, which is reported.
func endlessly(t *testing.T, text, more string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		_, err = io.WriteString(conn, text)
		if more == "" {
			_, _ = io.Copy(io.Discard, conn) // until the other side hangs up
			return
		}
		for taken := 0; err == nil; taken += len(more) {
			if taken > 1<<20 {
				t.Errorf("%d bytes of an endless answer were taken", taken)
				return
			}
			_, err = io.WriteString(conn, more)
		}
	}
}

// Whatever is answered, a call ends in time and takes little.
func TestCalls_AreBounded(t *testing.T) {
	filler := strings.Repeat("x", 1<<10)
	tests := []struct {
		name, text, more string
		answers          bool
		took             time.Duration
	}{
		{name: "endless body", text: "HTTP/1.1 200 OK\r\n\r\n", more: filler, answers: true},
		{name: "body that does not come", text: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", answers: true, took: time.Second},
		{name: "endless headers", text: "HTTP/1.1 200 OK\r\n", more: "X-" + filler + ": " + filler + "\r\n"},
		{name: "endless continues", text: "HTTP/1.1 100 Continue\r\n\r\n", more: "HTTP/1.1 100 Continue\r\nX: " + filler + "\r\n\r\n"},
		{name: "endless line", text: "HTTP/1.1 200 ", more: filler},
		{name: "another protocol", text: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"},
		{name: "nothing", took: time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNetwork()
				n.serve(t, "10.0.0.1:80", endlessly(t, tt.text, tt.more))
				c, e := newNetworkCaller(t, n), calleeAt(t, "http://10.0.0.1")
				start := time.Now()
				err := c.probe(t.Context(), e, true)
				if took := time.Since(start); tt.answers != (err == nil) || took != tt.took {
					t.Errorf("probe: %v after %v, want an answer: %v, after %v", err, took, tt.answers, tt.took)
				}
				start = time.Now()
				err = deliver(t, c, e)
				if took := time.Since(start); tt.answers != (err == nil) || took != 2*tt.took { // programs have twice as long for a patch
					t.Errorf("patch: %v after %v, want an answer: %v, after %v", err, took, tt.answers, 2*tt.took)
				}
			})
		})
	}
}

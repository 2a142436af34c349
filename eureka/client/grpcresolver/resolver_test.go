package grpcresolver_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/client"
	"github.com/eurekube/eurekube/eureka/client/grpcresolver"
	"github.com/eurekube/eurekube/eureka/codec"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// registry is a Eureka server that lists what the test says, and nothing but the full
// list.
type registry struct {
	mu        sync.Mutex
	instances []*eureka.Instance
}

func (r *registry) list(instances ...*eureka.Instance) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.instances = instances
}

func (r *registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if !strings.HasSuffix(req.URL.Path, "/apps") {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	apps := &eureka.Applications{Applications: []eureka.Application{{Name: "ORDERS", Instances: r.instances}}}
	_, _ = w.Write(codec.JSON.AppendApplications(nil, apps))
}

// discover runs a discovery of r until the test ends.
func discover(t *testing.T, r *registry) *client.Discovery {
	t.Helper()
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	servers, err := client.NewServers(client.Config{ServiceURLs: []string{server.URL + "/eureka/"}})
	if err != nil {
		t.Fatal(err)
	}
	d := client.NewDiscovery(servers, client.DiscoveryConfig{Interval: 10 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = d.Run(ctx) })
	t.Cleanup(func() { cancel(); running.Wait() })
	return d
}

// serve runs a gRPC server on a loopback port until the test ends or stop is
// called, and is the instance as it registers.
func serve(t *testing.T, id string, options ...grpc.ServerOption) (inst *eureka.Instance, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := grpc.NewServer(options...)
	healthpb.RegisterHealthServer(s, health.NewServer())
	var running sync.WaitGroup
	running.Go(func() { _ = s.Serve(l) })
	stop = sync.OnceFunc(func() { s.Stop(); running.Wait() })
	t.Cleanup(stop)
	return &eureka.Instance{
		ID: id, App: "ORDERS", HostName: "127.0.0.1", IPAddr: "127.0.0.1", Status: eureka.StatusUp, VIPAddress: "orders",
		Port: eureka.Port{Number: l.Addr().(*net.TCPAddr).Port, Enabled: true}, DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn},
	}, stop
}

// dial is a channel to a target.
func dial(t *testing.T, target string, d *client.Discovery) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient(target, grpc.WithResolvers(grpcresolver.New(d)), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	return conn
}

// TestCertificatesAreForTheHostOfAnInstance has a server with a certificate for
// 127.0.0.1 alone, which is not the name that the channel was dialled by.
func TestCertificatesAreForTheHostOfAnInstance(t *testing.T) {
	web := httptest.NewTLSServer(nil) // only for its certificate
	t.Cleanup(web.Close)
	roots := web.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	tests := []struct {
		name, host string
		want       string // what the error says
	}{
		{"its host", "127.0.0.1", ""},
		{"another host", "localhost", "not localhost"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			one, _ := serve(t, "1", grpc.Creds(credentials.NewServerTLSFromCert(&web.TLS.Certificates[0])))
			one.HostName = tt.host
			r := &registry{}
			r.list(one)
			conn, err := grpc.NewClient("eureka:///ORDERS", grpc.WithResolvers(grpcresolver.New(discover(t, r))), grpc.WithTransportCredentials(credentials.NewClientTLSFromCert(roots, "")))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, err = call(t, conn)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("call = %v, want %q", err, tt.want)
			}
		})
	}
}

// call is the port that a call reached.
func call(t *testing.T, conn *grpc.ClientConn, options ...grpc.CallOption) (int, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var reached peer.Peer
	if _, err := healthpb.NewHealthClient(conn).Check(ctx, &healthpb.HealthCheckRequest{}, append(options, grpc.Peer(&reached))...); err != nil {
		return 0, err
	}
	return reached.Addr.(*net.TCPAddr).Port, nil
}

// settle calls until the last of many calls in a row reached want and nobody else.
func settle(t *testing.T, conn *grpc.ClientConn, want ...*eureka.Instance) {
	t.Helper()
	ports := map[int]bool{}
	for _, inst := range want {
		ports[inst.Port.Number] = true
	}
	const inARow = 20
	patience, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	reached := map[int]bool{}
	for calls := 0; calls < inARow || len(reached) != len(ports); calls++ {
		port, err := call(t, conn, grpc.WaitForReady(true))
		if status.Code(err) == codes.DeadlineExceeded {
			t.Fatalf("no call comes through: %v", err)
		}
		if patience.Err() != nil {
			t.Fatalf("calls reach port %d (%v), want each of %v and nobody else", port, err, ports)
		}
		if err != nil || !ports[port] { // not yet
			calls, reached = 0, map[int]bool{}
			continue
		}
		reached[port] = true
	}
}

func TestChannelFollowsTheRegistry(t *testing.T) {
	for _, target := range []string{"eureka:///ORDERS", "eureka:///orders", "eureka:///vip/orders"} {
		t.Run(target, func(t *testing.T) {
			one, stopOne := serve(t, "1")
			two, _ := serve(t, "2")
			r := &registry{}
			r.list(one, two)
			d := discover(t, r)
			conn := dial(t, target, d)
			settle(t, conn, one, two)

			down := one.Clone()
			down.Status = eureka.StatusDown
			r.list(down, two)
			settle(t, conn, two)

			r.list(one, two)
			settle(t, conn, one, two)

			stopOne() // and the registry does not know
			settle(t, conn, two)

			r.list(one)
			stopped := one.Port.Number
			restarted, _ := serve(t, "3")
			r.list(restarted)
			settle(t, conn, restarted)
			if restarted.Port.Number == stopped {
				t.Log("the port was given out again")
			}
		})
	}
}

func TestCallsFailAtOnceWhenNobodyIsUp(t *testing.T) {
	one, _ := serve(t, "1")
	other := one.Clone()
	other.ID, other.VIPAddress = "2", "other"
	r := &registry{}
	r.list(other)
	d := discover(t, r)
	conn := dial(t, "eureka:///vip/orders", d)
	_, err := call(t, conn)
	if status.Code(err) != codes.Unavailable || !strings.Contains(err.Error(), `nobody of "orders" is UP`) {
		t.Errorf("call = %v, want that it is Unavailable and why", err)
	}
	r.list(other, one)
	settle(t, conn, one)
	r.list(other)
	patience, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for err = error(nil); err == nil && patience.Err() == nil; {
		_, err = call(t, conn)
	}
	if status.Code(err) != codes.Unavailable {
		t.Errorf("call after the last one left = %v, want Unavailable", err)
	}
}

func TestPorts(t *testing.T) {
	port := func(metadata string) map[string]string { return map[string]string{grpcresolver.PortKey: metadata} }
	tests := []struct {
		name   string
		change func(inst *eureka.Instance, port int)
	}{
		{"port", func(*eureka.Instance, int) {}},
		{"secure port", func(inst *eureka.Instance, port int) {
			inst.SecurePort, inst.Port.Number = eureka.Port{Number: port, Enabled: true}, 1
		}},
		{"metadata", func(inst *eureka.Instance, p int) {
			inst.Metadata, inst.Port.Number = port(strconv.Itoa(p)), 1
		}},
		{"metadata that is no port", func(inst *eureka.Instance, _ int) { inst.Metadata = port("99999") }},
		{"IP address alone", func(inst *eureka.Instance, _ int) { inst.HostName = "" }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			one, _ := serve(t, "1")
			listens := one.Port.Number
			tt.change(one, listens)
			r := &registry{}
			r.list(one)
			got, err := call(t, dial(t, "eureka:///ORDERS", discover(t, r)))
			if err != nil || got != listens {
				t.Errorf("call reached %d, %v; want %d", got, err, listens)
			}
		})
	}
}

func TestTargetsThatNameNobody(t *testing.T) {
	for _, target := range []string{"eureka:///", "eureka://ORDERS", "eureka:///vip/", "eureka:///a/b", "eureka:///vip/a/b"} {
		t.Run(target, func(t *testing.T) {
			conn, err := grpc.NewClient(target, grpc.WithResolvers(grpcresolver.New(discover(t, &registry{}))), grpc.WithTransportCredentials(insecure.NewCredentials()))
			if err == nil {
				_, err = call(t, conn)
				conn.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "eureka:///") {
				t.Errorf("error = %v, want one that shows a good target", err)
			}
		})
	}
}

package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// server is the API over a registry that the test writes.
type server struct {
	t         *testing.T
	api       *API
	url       string // on a loopback port, if it listens
	client    *http.Client
	registry  *registry.Registry
	leases    *lease.Store
	publisher *snapshot.Publisher
	stopping  chan struct{}
	open      func() // opens the gate and waits for the first snapshot
}

// start serves the instances to readers alone; with none it serves an empty,
// complete list.
func start(t *testing.T, instances ...*eureka.Instance) *server {
	t.Helper()
	s := startUnready(t)
	for _, inst := range instances {
		s.registry.Replace(registry.OwnerPod, inst.App+"/"+inst.ID, registry.Listed(inst))
	}
	s.open()
	return s
}

// startUnready serves before the first complete list, until open.
func startUnready(t *testing.T) *server {
	t.Helper()
	s := run(t, func(*server, *Config) {})
	s.listen()
	return s
}

// startWrites serves an empty, complete list and takes writes.
func startWrites(t *testing.T) *server {
	t.Helper()
	s := run(t, withLeases)
	s.listen()
	s.open()
	return s
}

// maxBody is the limit of the tests.
const maxBody = 64 << 10

// withLeases has the API take writes from everybody.
func withLeases(s *server, config *Config) {
	s.leases = lease.NewStore(lease.Config{Registry: s.registry, Mode: lease.ModeOn, Threshold: 0.85, Ceiling: time.Hour, MaxMetadata: maxBody})
	config.Leases = s.leases
}

// run puts the parts together and starts what runs in the background.
func run(t *testing.T, configure func(*server, *Config)) *server {
	t.Helper()
	ready := make(chan struct{})
	first := make(chan struct{}, 1)
	s := &server{t: t, registry: registry.New(time.Now), stopping: make(chan struct{})}
	s.publisher = snapshot.NewPublisher(snapshot.Config{Registry: s.registry, Ready: ready, MaxHoldoff: 10 * time.Millisecond, Published: func(uint64) {
		select {
		case first <- struct{}{}:
		default:
		}
	}})
	config := Config{Snapshot: s.publisher.Current, Registry: s.registry, MaxBody: maxBody, Shown: s.publisher.Shown, ShownUnlessFlooded: s.publisher.ShownUnlessFlooded, Self: inst("EUREKUBE", "self")}
	configure(s, &config)
	s.api = New(config)
	s.open = func() { close(ready); <-first }

	ctx, cancel := context.WithCancel(t.Context())
	runs := []func(context.Context) error{s.publisher.Run}
	if s.leases != nil {
		runs = append(runs, s.leases.Run)
	}
	done := make(chan error)
	for _, run := range runs {
		go func() { done <- run(ctx) }()
	}
	t.Cleanup(func() {
		cancel()
		for range runs {
			<-done
		}
	})
	return s
}

// listen serves on a loopback port.
func (s *server) listen() {
	h := httptest.NewServer(s.api)
	s.url, s.client = h.URL, h.Client()
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s.client.Transport.(*http.Transport).DisableCompression = true
	s.t.Cleanup(h.Close)
}

// change makes instances all that is said of a pod and waits until it is served.
func (s *server) change(key string, instances ...*eureka.Instance) {
	s.t.Helper()
	var claims []registry.Claim
	for _, inst := range instances {
		claims = append(claims, registry.Listed(inst, endpoints(inst)...))
	}
	s.registry.Replace(registry.OwnerPod, key, claims...)
	s.settle()
}

// endpoints are where a pod that is listed as inst is reached.
func endpoints(inst *eureka.Instance) []registry.Endpoint {
	return []registry.Endpoint{{Host: inst.IPAddr, Port: inst.Port.Number}}
}

// settle waits until reads show what was written.
func (s *server) settle() { s.publisher.Shown(s.t.Context()) }

// answer is a response with its body read.
type answer struct {
	*http.Response
	text string // after gunzip
	raw  []byte
}

// do sends a request without a body; headers are "Name: value" lines.
func (s *server) do(method, path string, headers ...string) answer {
	s.t.Helper()
	return s.send(method, path, "", headers...)
}

// send sends a request, over the network if the server listens.
func (s *server) send(method, path, body string, headers ...string) answer {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	var resp *http.Response
	if s.client != nil {
		resp, err = s.client.Do(req)
	} else {
		resp = s.serve(req)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return read(s.t, resp)
}

// serve calls the handler.
func (s *server) serve(req *http.Request) *http.Response {
	recorder := httptest.NewRecorder()
	req.RemoteAddr = "192.0.2.1:1234"
	s.api.ServeHTTP(recorder, req)
	return recorder.Result()
}

// read reads a response to its end.
func read(t testing.TB, resp *http.Response) answer {
	t.Helper()
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{resp, string(raw), raw}
	if resp.Header.Get("Content-Encoding") == "gzip" && len(raw) > 0 {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		a.text = string(text)
	}
	return a
}

func (s *server) get(path string, headers ...string) answer {
	s.t.Helper()
	return s.do(http.MethodGet, path, headers...)
}

const acceptJSON = "Accept: application/json"

// inst is an ordinary instance.
func inst(app, id string) *eureka.Instance {
	return &eureka.Instance{
		ID: id, HostName: "10.0.0.5", App: app, IPAddr: "10.0.0.5", Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		Port: eureka.Port{Number: 8080, Enabled: true}, SecurePort: eureka.Port{Number: 443}, CountryID: 1,
		DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn}, Lease: eureka.Lease{RenewalIntervalInSecs: 30, DurationInSecs: 90},
		VIPAddress: strings.ToLower(app), SecureVIPAddress: strings.ToLower(app),
	}
}

// many are n instances of one app.
func many(app string, n int) []*eureka.Instance {
	var all []*eureka.Instance
	for i := range n {
		all = append(all, inst(app, fmt.Sprintf("10.0.%d.%d:%s:8080", i/250, i%250, strings.ToLower(app))))
	}
	return all
}

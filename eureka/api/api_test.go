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
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// server is the API on a loopback port, over a registry that the test writes.
type server struct {
	t         *testing.T
	url       string
	client    *http.Client
	registry  *registry.Registry
	published atomic.Uint64
	waiting   chan struct{}
	open      func() // opens the gate and waits for the first snapshot
}

// start serves the instances; with none it serves an empty, complete list.
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
	ready := make(chan struct{})
	s := &server{t: t, registry: registry.New(time.Now), waiting: make(chan struct{}, 1)}
	publisher := snapshot.NewPublisher(snapshot.Config{Registry: s.registry, Ready: ready, Published: func(v uint64) {
		s.published.Store(v)
		select {
		case s.waiting <- struct{}{}:
		default:
		}
	}})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- publisher.Run(ctx) }()
	h := httptest.NewServer(New(Config{Snapshot: publisher.Current, Self: inst("EUREKUBE", "self")}))
	s.url, s.client = h.URL, h.Client()
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s.client.Transport.(*http.Transport).DisableCompression = true
	t.Cleanup(func() {
		h.Close()
		cancel()
		<-done
	})
	s.open = func() { close(ready); <-s.waiting }
	return s
}

// change makes instances all that is said of app/id and waits until it is served.
func (s *server) change(key string, instances ...*eureka.Instance) {
	s.t.Helper()
	var claims []registry.Claim
	for _, inst := range instances {
		claims = append(claims, registry.Listed(inst))
	}
	want, _ := s.registry.Replace(registry.OwnerPod, key, claims...)
	for s.published.Load() < want {
		<-s.waiting
	}
}

// answer is a response with its body read.
type answer struct {
	*http.Response
	text string // after gunzip
	raw  []byte
}

// do sends a request; headers are "Name: value" lines.
func (s *server) do(method, path string, headers ...string) answer {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := answer{resp, string(raw), raw}
	if resp.Header.Get("Content-Encoding") == "gzip" && len(raw) > 0 {
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			s.t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil {
			s.t.Fatal(err)
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

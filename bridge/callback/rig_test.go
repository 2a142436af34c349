package callback

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/lease"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// rig is a bridge over a real registry, with programs in memory. It lives in a
// synctest bubble.
type rig struct {
	*testing.T
	*network
	registry *registry.Registry
	leases   *lease.Store
	bridge   *Bridge
	metrics  *prometheus.Registry
	logger   klog.Logger
}

// inBubble runs test with a rig whose configuration adjust may change.
func inBubble(t *testing.T, adjust func(*lease.Config, *Config), test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(newRig(t, adjust)) })
}

func newRig(t *testing.T, adjust func(*lease.Config, *Config)) *rig {
	t.Helper()
	r := &rig{T: t, network: newNetwork(), registry: registry.New(time.Now), metrics: prometheus.NewRegistry()}
	r.logger = ktesting.NewLogger(ktesting.NopTL{}, ktesting.NewConfig(ktesting.BufferLogs(true)))
	ready := make(chan struct{})
	close(ready)
	publisher := snapshot.NewPublisher(snapshot.Config{Registry: r.registry, Ready: ready, Holdoff: 20 * time.Millisecond, MaxHoldoff: 200 * time.Millisecond})
	leases := lease.Config{Registry: r.registry, Mode: lease.ModeOn, Threshold: 0.85, Ceiling: time.Hour}
	config := Config{
		Snapshot: publisher.Current, Shown: publisher.Shown, ShownUnlessFlooded: publisher.ShownUnlessFlooded,
		Targets: DefaultTargets, MaxBody: 1 << 20, Registerer: r.metrics,
	}
	if adjust != nil {
		adjust(&leases, &config)
	}
	r.leases = lease.NewStore(leases)
	if leases.Mode != lease.ModeOff {
		config.Leases = r.leases
	}
	r.bridge = New(config)
	r.bridge.calls.dialer.connect = r.connect
	ctx, stop := context.WithCancel(klog.NewContext(t.Context(), r.logger))
	runs := []func(context.Context) error{publisher.Run, r.bridge.Run}
	if leases.ClaimNames { // no lease ends by itself otherwise, and a day has many sweeps
		runs = append(runs, r.leases.Run)
	}
	var actors sync.WaitGroup
	for _, run := range runs {
		actors.Go(func() {
			if err := run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() {
		stop()
		actors.Wait()
	})
	synctest.Wait()
	return r
}

// inPod registers a program from the n-th pod.
func (r *rig) inPod(n int, name string) *program {
	r.Helper()
	p := &program{rig: r, address: fmt.Sprintf("10.1.0.%d:8080", n), name: name, status: http.StatusOK}
	p.listen()
	if answer := r.sendFrom(fmt.Sprintf("10.1.0.%d", n), http.MethodPost, p.registration()); answer.Code != http.StatusOK {
		r.Fatalf("POST from the pod = %d %q, want 200", answer.Code, answer.Body)
	}
	return p
}

// send is one request from 10.0.0.9.
func (r *rig) send(method, body string) *httptest.ResponseRecorder {
	return r.sendFrom("10.0.0.9", method, body)
}

func (r *rig) sendFrom(address, method, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "/services", strings.NewReader(body))
	request.RemoteAddr = address + ":50000"
	answer := httptest.NewRecorder()
	r.bridge.ServeHTTP(answer, request)
	return answer
}

func (r *rig) expect(method, body string, want int) {
	r.Helper()
	if answer := r.send(method, body); answer.Code != want {
		r.Errorf("%s %.200s = %d %q, want %d", method, body, answer.Code, answer.Body, want)
	}
}

// program is one that registers: it answers probes and remembers what it is told.
type program struct {
	rig     *rig
	address string // IP:PORT
	name    string
	needs   []string
	stop    func()

	mu      sync.Mutex // guards all below
	patches []string
	beats   int
	status  int           // of its answers
	delay   time.Duration // before each answer to a patch
	hang    bool          // at probes
}

// start has a program listen at 10.0.0.N:4000.
func (r *rig) start(n int, name string, needs ...string) *program {
	r.Helper()
	p := &program{rig: r, address: fmt.Sprintf("10.0.%d.%d:4000", n/256, n%256), name: name, needs: needs, status: http.StatusOK}
	p.listen()
	return p
}

func (p *program) listen() { p.stop = p.rig.serve(p.rig.T, p.address, p) }

func (p *program) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	status, delay := p.status, time.Duration(0)
	if r.URL.Path == "/heartbeat" {
		p.beats++
		if p.hang {
			delay = time.Hour
		}
	} else {
		p.patches = append(p.patches, string(body))
		delay = p.delay
	}
	p.mu.Unlock()
	if delay > 0 {
		select {
		case <-time.After(delay):
		case <-r.Context().Done():
			return
		}
	}
	w.WriteHeader(status)
}

// set changes how the program behaves.
func (p *program) set(change func(p *program)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

// probed is how often its heartbeat URL was called.
func (p *program) probed() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.beats
}

func (p *program) url() string { return "http://" + p.address }

// registration is the body of its POST.
func (p *program) registration() string {
	text, err := json.Marshal(map[string]any{
		"ServiceName": p.name, "ServiceURL": p.url(), "RequiredServices": p.needs,
		"ServiceUpdateURl": p.url() + "/services", "HeartbeatURL": p.url() + "/heartbeat",
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func (p *program) register() {
	p.rig.Helper()
	p.rig.expect(http.MethodPost, p.registration(), http.StatusOK)
}

// expectPatches waits until nothing goes on any more at this moment and compares
// what the program was told since the last call: Name=URL after + or -.
func (p *program) expectPatches(want ...string) {
	p.rig.Helper()
	p.rig.settle()
	p.mu.Lock()
	defer p.mu.Unlock()
	var got []string
	for _, text := range p.patches {
		got = append(got, summary(text))
	}
	p.patches = nil
	if diff := cmp.Diff(want, got); diff != "" {
		p.rig.Errorf("patches to %s (-want +got):\n%s", p.name, diff)
	}
}

// settle lets what was begun end: holdoffs, and the pause between patches.
func (r *rig) settle() {
	time.Sleep(500 * time.Millisecond)
	synctest.Wait()
}

// summary is a patch in one line.
func summary(text string) string {
	var p struct{ Added, Removed []struct{ Name, URL string } }
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return text
	}
	var words []string
	for _, a := range p.Added {
		words = append(words, "+"+a.Name+"="+a.URL)
	}
	for _, a := range p.Removed {
		words = append(words, "-"+a.Name+"="+a.URL)
	}
	return strings.Join(words, " ")
}

// listed are the statuses by id of what Eureka clients see of app.
func (r *rig) listed(app string) map[string]eureka.Status {
	all := map[string]eureka.Status{}
	instances, _ := r.bridge.config.Snapshot().Instances(app)
	for _, inst := range instances {
		all[inst.ID] = inst.Status
	}
	return all
}

func (r *rig) expectListed(app string, want ...string) {
	r.Helper()
	r.settle()
	wanted := map[string]eureka.Status{}
	for _, id := range want {
		wanted[id] = eureka.StatusUp
	}
	if diff := cmp.Diff(wanted, r.listed(app)); diff != "" {
		r.Errorf("instances of %s (-want +got):\n%s", app, diff)
	}
}

// pod lists the n-th pod of a service, as the controller would; end ends it.
func (r *rig) pod(n int, service string) (end func()) {
	ip := fmt.Sprintf("10.1.0.%d", n)
	key := fmt.Sprint("shop/", service, n)
	r.registry.Replace(registry.OwnerPod, key, registry.Listed(&eureka.Instance{
		ID: ip + ":" + service + ":8080", HostName: ip, App: strings.ToUpper(service), IPAddr: ip,
		Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown, Port: eureka.Port{Number: 8080, Enabled: true},
		DataCenterInfo: eureka.DataCenterInfo{Name: eureka.DataCenterMyOwn}, Metadata: map[string]string{"pod": service},
		VIPAddress: service,
	}, registry.Endpoint{Host: ip, Port: 8080}))
	return func() { r.registry.Replace(registry.OwnerPod, key) }
}

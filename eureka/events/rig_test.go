package events

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
	"github.com/eurekube/eurekube/eureka/snapshot"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// The timeouts of the server, shorter than any stream lives.
const (
	readTimeout  = 10 * time.Second
	writeTimeout = time.Minute
)

// holdoff is how far apart publications are: what is said within is published
// together.
const holdoff = 20 * time.Millisecond

// pipes is a listener whose connections live in memory and hold nothing: what a
// client does not read blocks the server's write.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	conn, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// rig is a server in fake time over a registry that the test writes.
type rig struct {
	*testing.T
	registry  *registry.Registry
	publisher *snapshot.Publisher
	metrics   *prometheus.Registry
	stopping  chan struct{}
	pipes     pipes
}

// inBubble runs test with a server that lists i1 and i2 of application A.
func inBubble(t *testing.T, test func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{T: t, registry: registry.New(time.Now), metrics: prometheus.NewRegistry(), stopping: make(chan struct{}), pipes: make(pipes)}
		ready := make(chan struct{})
		r.publisher = snapshot.NewPublisher(snapshot.Config{Registry: r.registry, Ready: ready, Holdoff: holdoff, MaxHoldoff: 10 * holdoff})
		r.registry.Replace(registry.OwnerPod, "1", registry.Listed(up("A", "i1")))
		r.registry.Replace(registry.OwnerPod, "2", registry.Listed(up("A", "i2")))
		close(ready)
		stream := NewStream(Config{Snapshot: r.publisher.Current, Stopping: r.stopping, WriteTimeout: writeTimeout, Registerer: r.metrics})
		server := &http.Server{Handler: stream, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, Protocols: new(http.Protocols)}
		server.Protocols.SetHTTP1(true)
		server.Protocols.SetUnencryptedHTTP2(true)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{}, 2)
		go func() { _ = r.publisher.Run(ctx); done <- struct{}{} }()
		go func() { _ = server.Serve(r.pipes); done <- struct{}{} }()
		defer func() {
			close(r.pipes)
			server.Close()
			cancel()
			<-done
			<-done
		}()
		synctest.Wait()
		test(r)
	})
}

// up is an instance that is UP, with its application and an own name as VIPs.
func up(app, id string) *eureka.Instance {
	return &eureka.Instance{ID: id, App: app, Status: eureka.StatusUp, VIPAddress: strings.ToLower(app) + "," + id}
}

// say makes instances all that is said of a pod and has them published.
func (r *rig) say(key string, instances ...*eureka.Instance) {
	var claims []registry.Claim
	for _, inst := range instances {
		claims = append(claims, registry.Listed(inst))
	}
	r.registry.Replace(registry.OwnerPod, key, claims...)
	r.settle()
}

// settle waits until everything that was said is published and told.
func (r *rig) settle() {
	time.Sleep(2 * holdoff)
	synctest.Wait()
}

// token is where the server stands.
func (r *rig) token() string { return r.publisher.Current().Token().String() }

// reader is a client that reads a stream.
type reader struct {
	*testing.T
	conn   net.Conn
	body   *bufio.Reader
	answer *http.Response
}

// open asks for a stream and reads the headers of the answer; headers are "Name:
// value" lines. Nothing more is read until the test does.
func (r *rig) open(query string, headers ...string) *reader {
	r.Helper()
	return r.send(http.MethodGet, query, headers...)
}

func (r *rig) send(method, query string, headers ...string) *reader {
	r.Helper()
	conn, server := net.Pipe()
	r.Cleanup(func() { conn.Close() })
	r.pipes <- server
	request := append([]string{method + " /eureka/stream?" + query + " HTTP/1.1", "Host: eurekube"}, headers...)
	if _, err := conn.Write([]byte(strings.Join(request, "\r\n") + "\r\n\r\n")); err != nil {
		r.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), &http.Request{Method: method})
	if err != nil {
		r.Fatal(err)
	}
	return &reader{r.T, conn, bufio.NewReaderSize(answer.Body, 16), answer}
}

// leave hangs up.
func (c *reader) leave() {
	c.conn.Close()
	synctest.Wait()
}

// event is what the stream tells.
type event struct{ name, id, data string }

// next reads an event, or the end of the stream as an error.
func (c *reader) next() (event, error) {
	var e event
	for {
		line, err := c.body.ReadString('\n')
		if err != nil {
			return e, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "event":
			e.name = value
		case "id":
			e.id = value
		case "data":
			e.data = value
		case "":
			return e, nil
		default:
			c.Fatalf("line %q is none of an event", line)
		}
	}
}

// expect reads an event of that name and returns it.
func (c *reader) expect(name string) event {
	c.Helper()
	e, err := c.next()
	if err != nil || e.name != name {
		c.Fatalf("event = %+v, %v; want %s", e, err, name)
	}
	return e
}

// short says what an event is about: name, ids in its document, action.
func (e event) short() string {
	var ids []string
	for part := range strings.SplitSeq(e.data, `"instanceId":"`) {
		if id, _, ok := strings.Cut(part, `"`); ok && !strings.HasPrefix(part, "{") {
			ids = append(ids, id)
		}
	}
	if e.name == eventReset || e.name == eventPing {
		return fmt.Sprint(e.name, " ", strings.Join(ids, " "))
	}
	_, action, _ := strings.Cut(e.data, `"actionType":"`)
	action, _, _ = strings.Cut(action, `"`)
	return fmt.Sprint(e.name, " ", strings.Join(ids, " "), " ", action)
}

// count is the value of a metric with that label value, which may be empty.
func (r *rig) count(name, label string) float64 {
	r.Helper()
	families, err := r.metrics.Gather()
	if err != nil {
		r.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && (label == "" || m.GetLabel()[0].GetValue() == label) {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	r.Fatalf("there is no metric %s{%s}", name, label)
	return 0
}

package figure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eurekube/eurekube/bench/program"
)

// Probes is what it costs to look after services of the callback registry.
type Probes struct {
	// Cores is the processor time of the program per second, PerSecond how many
	// probes it sent in one.
	Cores, PerSecond float64
	// Memory is that of the program at the end, PerService by how much it grew for
	// each service.
	Memory     program.Memory
	PerService int64
}

// probeWarmUp is how long probes run before they are measured: all connections are
// there then.
const probeWarmUp = 7 * time.Second

// MeasureProbes registers services, each at an address of its own, and measures for
// span what their probes cost.
func MeasureProbes(ctx context.Context, binary string, services int, span time.Duration) (Probes, error) {
	f, err := startProbed(services)
	if err != nil {
		return Probes{}, err
	}
	defer f.close()
	dir, err := os.MkdirTemp("", "eurekube-bench-")
	if err != nil {
		return Probes{}, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary directory
	p, err := program.Start(ctx, binary, "--manifests="+dir, "--bridge=callback", "--callback-listen=127.0.0.1:0", "--callback-targets=127.0.0.0/8")
	if err != nil {
		return Probes{}, err
	}
	defer p.Stop()
	bridge, err := p.Address("callback")
	if err != nil {
		return Probes{}, err
	}
	if _, err := p.Await(ctx, p.Admin+"/readyz"); err != nil {
		return Probes{}, err
	}
	before, err := p.Memory()
	if err != nil {
		return Probes{}, err
	}
	if err := f.register(ctx, "http://"+bridge+"/services"); err != nil {
		return Probes{}, err
	}
	if err := pause(ctx, probeWarmUp); err != nil {
		return Probes{}, err
	}
	got, err := f.measure(ctx, p, span)
	got.PerService = (got.Memory.Now - before.Now) / int64(services)
	return got, err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// probed are services that answer probes.
type probed struct {
	listeners []net.Listener
	server    *http.Server
	serving   errgroup.Group
	probes    atomic.Int64
}

// startProbed has services listen, each at an address of loopback that is its own,
// at one port for all: among a thousand ports would be that of the program's admin
// port now and then, which the bridge never calls.
func startProbed(services int) (*probed, error) {
	f := &probed{}
	port := "0"
	f.server = &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { f.probes.Add(1) })}
	for i := range services {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.1.%d.%d:%s", i/250, i%250+1, port))
		if err != nil {
			f.close()
			return nil, err
		}
		_, port, _ = net.SplitHostPort(listener.Addr().String())
		f.listeners = append(f.listeners, listener)
		f.serving.Go(func() error {
			if err := f.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				return err
			}
			return nil
		})
	}
	return f, nil
}

func (f *probed) close() {
	_ = f.server.Close() // ends the listeners too
	_ = f.serving.Wait()
}

// register posts all of them.
func (f *probed) register(ctx context.Context, registry string) error {
	client := newClient(openAtOnce)
	defer client.CloseIdleConnections()
	var posting errgroup.Group
	posting.SetLimit(openAtOnce)
	for _, listener := range f.listeners {
		posting.Go(func() error {
			url := "http://" + listener.Addr().String()
			body := fmt.Appendf(nil, `{"ServiceName":"Probed","ServiceURL":%q,"HeartbeatURL":%q}`, url, url+"/heartbeat")
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, registry, bytes.NewReader(body))
			if err != nil {
				return err
			}
			response, err := client.Do(request)
			if err != nil {
				return err
			}
			defer response.Body.Close()
			if response.StatusCode != http.StatusOK {
				return fmt.Errorf("register %s: status %d", url, response.StatusCode)
			}
			return nil
		})
	}
	return posting.Wait()
}

// measure measures for span.
func (f *probed) measure(ctx context.Context, p *program.Program, span time.Duration) (Probes, error) {
	used, err := p.ProcessorTime()
	if err != nil {
		return Probes{}, err
	}
	sent, began := f.probes.Load(), time.Now()
	if err := pause(ctx, span); err != nil {
		return Probes{}, err
	}
	usedThen, err := p.ProcessorTime()
	if err != nil {
		return Probes{}, err
	}
	seconds := time.Since(began).Seconds()
	got := Probes{Cores: (usedThen - used).Seconds() / seconds, PerSecond: float64(f.probes.Load()-sent) / seconds}
	got.Memory, err = p.Memory()
	return got, err
}

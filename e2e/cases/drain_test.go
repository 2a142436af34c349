package cases

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/eurekube/eurekube/e2e/suite"
)

func TestFieldCase105_SIGTERMUnderLoadFailsNoRequest(t *testing.T) {
	t.Parallel()
	const (
		drain   = 20 * time.Second // the load ends long before
		clients = 8
	)
	namespace := newNamespace(t)
	createReady(t, namespace, "orders-1", "orders")
	program := startIn(t, namespace, fmt.Sprintf("--drain=%s", drain))
	program.expectListed(t, soon, namespace, "orders-1")

	load := startLoad(t, program, clients)
	suite.Eventually(t, soon, load.enough(200))
	if err := program.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	told := time.Now()
	// Whatever balances the load sees this and sends new clients elsewhere; the
	// old ones go on for a while.
	suite.Eventually(t, drain, func() error {
		return program.answers(t.Context(), program.admin+"/readyz", http.StatusServiceUnavailable)
	})
	suite.Eventually(t, drain, load.enough(load.requests.Load()+200))
	if err := load.stop(); err != nil {
		t.Errorf("requests failed while the program ended: %v", err)
	}
	if stopped := time.Since(told); stopped > drain {
		t.Fatalf("the load ended %s after the signal, that is after the drain time: the machine is too busy", stopped)
	}

	ctx, cancel := context.WithTimeout(t.Context(), drain+soon)
	defer cancel()
	code, err := program.Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if code != 0 {
		t.Errorf("exit code = %d, want 0", code)
	}
	if took := time.Since(told); took < drain {
		t.Errorf("the program ended %s after the signal, want %s of drain", took, drain)
	}
}

// load is a number of clients that read all the time.
type load struct {
	requests atomic.Int64
	stop     func() error
}

// startLoad starts clients that read from program until stop, which returns the
// failures. Every other request opens a connection of its own, as a client does
// that has just started.
func startLoad(t *testing.T, program *program, clients int) *load {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	var (
		load     load
		reading  sync.WaitGroup
		stopping = make(chan struct{})
		failures = make([]error, clients)
	)
	for i := range clients {
		reading.Go(func() {
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: i%2 == 0}}
			defer client.CloseIdleConnections()
			for {
				select {
				case <-stopping:
					return
				default:
				}
				if err := readOnce(ctx, client, program.base+"/eureka/apps"); err != nil {
					failures[i] = errors.Join(failures[i], err)
				}
				load.requests.Add(1)
			}
		})
	}
	load.stop = func() error {
		close(stopping)
		reading.Wait()
		return errors.Join(failures...)
	}
	return &load
}

func (l *load) enough(requests int64) func() error {
	return func() error {
		if sent := l.requests.Load(); sent < requests {
			return fmt.Errorf("%d requests were sent, want %d", sent, requests)
		}
		return nil
	}
}

func readOnce(ctx context.Context, client *http.Client, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s answered %s", url, response.Status)
	}
	return nil
}

package program

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"time"
)

// Program is a running eurekube. End it with Stop.
type Program struct {
	// Started is just before the process was.
	Started time.Time
	// API and Admin are base URLs without a path.
	API, Admin string

	command *exec.Cmd
	log     bytes.Buffer // read only after done is closed
	done    chan struct{}
}

// Start starts the program at path with further arguments, an empty environment
// and free ports on loopback, and does not wait for it to be ready.
func Start(ctx context.Context, path string, args ...string) (*Program, error) {
	var addresses [2]string
	for i := range addresses {
		address, err := freeAddress(ctx)
		if err != nil {
			return nil, err
		}
		addresses[i] = address
	}
	p := &Program{API: "http://" + addresses[0], Admin: "http://" + addresses[1], done: make(chan struct{})}
	args = append([]string{"serve", "--listen=" + addresses[0], "--admin-listen=" + addresses[1]}, args...)
	p.command = exec.CommandContext(ctx, path, args...)
	p.command.Env = []string{} // the settings of whoever measures are not the program's
	p.command.Stderr = &p.log
	p.Started = time.Now()
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start eurekube: %w", err)
	}
	go func() {
		defer close(p.done)
		_ = p.command.Wait() // Stop ends it by a signal, which Wait calls an error
	}()
	return p, nil
}

// freeAddress is an address of loopback that nobody listens on now. Ports are
// handed out in turn, so it stays free for the moment of a start.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	return listener.Addr().String(), listener.Close()
}

// Await returns the time at which url answered 200 first. The error holds the
// program's log when it ended before, or ctx did.
func (p *Program) Await(ctx context.Context, url string) (time.Time, error) {
	const pause = 5 * time.Millisecond
	for {
		select {
		case <-ctx.Done():
			return time.Time{}, fmt.Errorf("wait for %s: %w", url, ctx.Err())
		case <-p.done:
			return time.Time{}, fmt.Errorf("wait for %s: eurekube ended\n%s", url, p.log.Bytes())
		case <-time.After(pause):
		}
		if answers(ctx, url) {
			return time.Now(), nil
		}
	}
}

func answers(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false // it does not listen yet
	}
	_ = response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// Stop ends the program at once and returns when it has ended. It may be called
// again.
func (p *Program) Stop() {
	_ = p.command.Process.Kill() // it fails only for a process that has ended
	<-p.done
}

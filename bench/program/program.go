package program

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"time"
)

// Program is a running eurekube. End it with Stop.
type Program struct {
	// Started is just before the process was.
	Started time.Time
	// API and Admin are base URLs without a path.
	API, Admin string

	command   *exec.Cmd
	listening chan port
	addresses map[string]string // by the server's name, as far as they were asked for
	log       bytes.Buffer      // read only after done is closed
	done      chan struct{}
}

// Start starts the program at path with further arguments, an empty environment
// and ports on loopback that it picks itself, and returns when it listens, which is
// before it is ready.
func Start(ctx context.Context, path string, args ...string) (*Program, error) {
	p := &Program{listening: make(chan port, maxPorts), addresses: make(map[string]string), done: make(chan struct{})}
	args = append([]string{"serve", "--listen=127.0.0.1:0", "--admin-listen=127.0.0.1:0"}, args...)
	p.command = exec.CommandContext(ctx, path, args...)
	p.command.Env = []string{} // the settings of whoever measures are not the program's
	stderr, err := p.command.StderrPipe()
	if err != nil {
		return nil, fmt.Errorf("start eurekube: %w", err)
	}
	p.Started = time.Now()
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("start eurekube: %w", err)
	}
	go func() {
		defer close(p.done)
		p.follow(stderr)
		_ = p.command.Wait() // Stop ends it by a signal, which Wait calls an error
	}()
	for server, url := range map[string]*string{"clients": &p.API, "admin": &p.Admin} {
		address, err := p.Address(server)
		if err != nil {
			p.Stop()
			return nil, err
		}
		*url = "http://" + address
	}
	return p, nil
}

// port is one that the program opened, as its log says.
type port struct{ server, address string }

// maxPorts is more than the program opens.
const maxPorts = 8

var listening = regexp.MustCompile(`"Listening" server="([^"]+)" address="([^"]+)"`)

// follow reads the program's log to its end.
func (p *Program) follow(log io.Reader) {
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		p.log.Write(append(lines.Bytes(), '\n'))
		if match := listening.FindStringSubmatch(lines.Text()); match != nil {
			p.listening <- port{match[1], match[2]}
		}
	}
}

// Address is the host:port of one of the program's servers, by the name that it has
// in the log, as soon as it listens. One goroutine may ask at a time.
func (p *Program) Address(server string) (string, error) {
	for p.addresses[server] == "" {
		select {
		case opened := <-p.listening:
			p.addresses[opened.server] = opened.address
		case <-p.done:
			return "", fmt.Errorf("eurekube ended before its port %s listened\n%s", server, p.log.Bytes())
		}
	}
	return p.addresses[server], nil
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

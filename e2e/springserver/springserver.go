// Package springserver runs Spring Cloud's Eureka server as a process: the server
// that Eurekube is compared with, and a peer of it.
//
// Its reads show at once what was written, and leases end when they are over: both
// response caches and self-preservation are off (see application.properties in the
// Maven projects beside this file). It is not for benchmarks, which want the server
// as it is run, and not for clients, which package clients runs. It needs a JDK of
// version 17 and Maven.
package springserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/eurekube/eurekube/e2e/address"
	"github.com/eurekube/eurekube/e2e/binaries"
	"github.com/eurekube/eurekube/e2e/process"
)

// Release is one of the pairs of Spring Boot and Spring Cloud whose servers are
// run. It is the name of the Maven project beside this file that pins them.
type Release string

// The releases that the recordings of eureka/api were made with.
const (
	Boot3 Release = "server-boot-3" // Spring Boot 3.5.7, Spring Cloud 2025.0.0
	Boot4 Release = "server-boot-4" // Spring Boot 4.0.7, Spring Cloud 2025.1.4
)

// Build returns the server's jar and builds it unless it was built before (see
// binaries.Jar, the first time half a minute). It must be called inside the e2e
// module; several processes may call it at once.
func (r Release) Build(ctx context.Context) (jar string, err error) {
	return binaries.Jar(ctx, "springserver/"+string(r), ".")
}

// Config says how a server is run.
type Config struct {
	Jar        string   // from Release.Build
	LogPath    string   // where its output is appended
	Address    string   // HOST:PORT, empty for a free port of 127.0.0.1
	Peers      []string // service URLs of the servers that it replicates to
	Properties []string // further Spring properties, as KEY=VALUE; they win
}

// Server is a running server. Its methods may be called concurrently.
type Server struct {
	*process.Process
	address string
}

// startTime is how long a JVM may take to start on a busy machine. It is 7 seconds
// on two idle cores.
const startTime = 5 * time.Minute

// Start starts a server that knows nothing and returns when it answers. It runs
// until it is killed, at the latest with the process that started it. The error
// holds the end of its log.
func Start(ctx context.Context, config Config) (*Server, error) {
	if config.Address == "" {
		free, err := address.Free("127.0.0.1")
		if err != nil {
			return nil, err
		}
		config.Address = free
	}
	child, err := process.Start("Spring's Eureka server", config.LogPath, "java", config.args(), nil)
	if err != nil {
		return nil, err
	}
	s := &Server{Process: child, address: config.Address}
	if err := s.answers(ctx); err != nil {
		_ = child.Kill() // the first error says more
		return nil, fmt.Errorf("start Spring's Eureka server: %w\n%s", err, child.LogTail(30))
	}
	return s, nil
}

// args are those of the java command. A server that lives for minutes is best
// compiled as little as possible.
func (c *Config) args() []string {
	host, port, _ := strings.Cut(c.Address, ":")
	args := []string{
		"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m", "-jar", c.Jar,
		"--server.address=" + host, "--server.port=" + port,
	}
	if len(c.Peers) > 0 {
		args = append(args, "--eureka.client.service-url.defaultZone="+strings.Join(c.Peers, ","))
	}
	for _, property := range c.Properties {
		args = append(args, "--"+property)
	}
	return args
}

// answers returns when the server serves its registry.
func (s *Server) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		err := get(ctx, s.URL()+"apps")
		if err == nil {
			return nil
		}
		select {
		case <-s.Ended():
			return errors.New("it ended")
		case <-ctx.Done():
			return fmt.Errorf("it does not answer: %w", err)
		case <-ticker.C:
		}
	}
}

func get(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s = %s", url, response.Status)
	}
	return nil
}

// Address is the HOST:PORT that the server listens on.
func (s *Server) Address() string { return s.address }

// URL is the service URL that clients and peers are configured with; it ends in
// a slash.
func (s *Server) URL() string { return "http://" + s.address + "/eureka/" }

package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Config says which Eureka servers a program uses, and how it speaks to them.
type Config struct {
	// ServiceURLs are where the API is served, such as http://eurekube:8761/eureka/,
	// http or https; the last slash may be missing. A URL may hold the credentials
	// for its server, as in http://user:password@host/eureka/. At least one.
	ServiceURLs []string
	// Username and Password are the credentials for the servers whose URLs hold
	// none. An empty Username sends none.
	Username, Password string
	// HTTPClient gives its Transport, which decides on TLS and proxies, and its Jar.
	// Its Timeout is not used, for a stream has no end: every request has a bound
	// of its own. Redirects are never followed. nil: a transport with the defaults
	// of net/http.
	HTTPClient *http.Client
}

// server is one service URL.
type server struct {
	base               string // with a slash at its end, without credentials
	username, password string // of HTTP Basic; no username for none
}

// String is the service URL without its credentials, as it may stand in logs and
// errors.
func (s *server) String() string { return s.base }

// Servers are the service URLs, in the order in which they are tried: at first a
// random one, so that the clients of several servers spread, and from then on the
// one that answered last. A server that fails goes to the end of the line, so it is
// tried again when all others failed after it (decision 0023). Any number of
// registrations and discoveries may share one Servers, and should: what one learns
// of a server the others then know. All methods may be called by many goroutines at
// once.
type Servers struct {
	http *http.Client
	own  *http.Transport // nil when the transport is the caller's
	max  int64           // bytes of an answer after inflation

	mu            sync.Mutex
	order         []*server                  // guarded by mu
	registrations map[*Registration]struct{} // that run; guarded by mu
}

// maxAnswer bounds what is read of one answer, after inflation: a full list of
// 100,000 instances has about half of it.
const maxAnswer = 256 << 20

// NewServers returns the servers of config. It does no I/O. The error names what is
// wrong with a service URL by its place in the list, and never quotes it: it may
// hold a password.
func NewServers(config Config) (*Servers, error) {
	if len(config.ServiceURLs) == 0 {
		return nil, errors.New("no service URL")
	}
	s := &Servers{http: new(http.Client), max: maxAnswer}
	for i, text := range config.ServiceURLs {
		on, err := parseServiceURL(text, config.Username, config.Password)
		if err != nil {
			return nil, fmt.Errorf("service URL %d: %w", i+1, err)
		}
		s.order = append(s.order, on)
	}
	rand.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
	if config.HTTPClient != nil {
		s.http.Transport, s.http.Jar = config.HTTPClient.Transport, config.HTTPClient.Jar
	}
	if s.http.Transport == nil {
		if usual, ok := http.DefaultTransport.(*http.Transport); ok {
			s.own = usual.Clone()
			s.http.Transport = s.own
		}
	}
	// A Eureka server sends no redirect, and following one would hand the
	// credentials, or a registration, to whom nobody named.
	s.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return s, nil
}

func parseServiceURL(text, username, password string) (*server, error) {
	text = strings.TrimSpace(text)
	lower := strings.ToLower(text)
	u, err := url.Parse(text)
	switch {
	case !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://"): // most often it begins with the host
		return nil, errors.New("does not begin with http:// or https://")
	case err != nil:
		return nil, errors.New("is no URL")
	case u.Host == "":
		return nil, errors.New("has no host")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("has a query or a fragment")
	}
	on := &server{username: username, password: password}
	if u.User != nil {
		on.username = u.User.Username()
		on.password, _ = u.User.Password()
		u.User = nil
	}
	on.base = strings.TrimRight(u.String(), "/") + "/"
	return on, nil
}

// maxAttempts is how many servers one operation tries, as Netflix's client does
// (protocol section 6.5).
const maxAttempts = 3

// line is the order in which to try the servers now.
func (s *Servers) line() []*server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

// failed sends a server to the end of the line.
func (s *Servers) failed(on *server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.order, on); i >= 0 {
		s.order = append(slices.Delete(s.order, i, i+1), on)
	}
}

// do sends a call to one server after another until one settles it, by a status
// that settled names. Whatever else a server answers, it failed.
func (s *Servers) do(ctx context.Context, c call, settled func(status int) bool) (*answer, error) {
	var failures []error
	for i, on := range s.line() {
		if i == maxAttempts {
			break
		}
		a, err := s.send(ctx, on, c)
		if err == nil && settled(a.status) {
			return a, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err == nil {
			err = a.unexpected()
		}
		s.failed(on)
		failures = append(failures, err)
	}
	return nil, errors.Join(failures...)
}

// closeIdle ends the goroutines of connections that nobody uses. A transport of
// the caller's is left to the caller.
func (s *Servers) closeIdle() {
	if s.own != nil {
		s.own.CloseIdleConnections()
	}
}

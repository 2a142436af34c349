package callback

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

// Config is what a Service needs.
type Config struct {
	// Registry is the URL of the registry, such as http://eurekube:3000/services. A
	// user and a password in it are sent as HTTP Basic credentials.
	Registry string
	// Registration is what the program says of itself.
	Registration Registration
	// Client calls the registry; nil is one that follows no redirect, which would
	// turn a POST into a GET. Calls end after 10 s with either.
	Client *http.Client
}

// Service is a program in the registry. Make it with New, serve its Handler, and
// call Run once. All methods may be called at once.
type Service struct {
	registration Registration
	registry     string
	client       *http.Client

	heartbeatPath, updatePath string

	providers providers
	heard     atomic.Int64 // when the registry gave its last sign of life, in nanoseconds since 1970
}

// New returns a Service that does nothing until Run. The error says what is wrong
// with the configuration.
func New(config Config) (*Service, error) {
	registration, err := config.Registration.complete()
	if err != nil {
		return nil, err
	}
	s := &Service{registration: registration, registry: config.Registry, client: config.Client}
	if s.client == nil {
		s.client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	if u, err := url.Parse(config.Registry); err != nil || u.Host == "" {
		return nil, errors.New("the registry is named by no URL such as http://eurekube:3000/services") // it may hold a password
	}
	if s.heartbeatPath, err = pathOf(registration.HeartbeatURL); err != nil {
		return nil, fmt.Errorf("HeartbeatURL: %w", err)
	}
	if s.updatePath, err = pathOf(registration.ServiceUpdateURL); err != nil {
		return nil, fmt.Errorf("ServiceUpdateURL: %w", err)
	}
	if s.heartbeatPath == s.updatePath {
		return nil, fmt.Errorf("HeartbeatURL and ServiceUpdateURL are both %s", s.updatePath)
	}
	return s, nil
}

// probed notes a sign of life of the registry.
func (s *Service) probed() { s.heard.Store(time.Now().UnixNano()) }

// silence is how long the registry gave none.
func (s *Service) silence() time.Duration {
	return time.Duration(time.Now().UnixNano() - s.heard.Load())
}

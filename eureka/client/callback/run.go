package callback

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/internal/pause"
)

// The times of a service.
const (
	callTimeout = 10 * time.Second
	// forgottenAfter is how long the registry may be silent: one that began anew
	// knows nobody, and has no way to say so.
	forgottenAfter = 15 * time.Second
	firstRetry     = time.Second
	lastRetry      = 30 * time.Second
	// farewell is how long the program waits for its DELETE at its end.
	farewell = 2 * time.Second
)

// Run registers the program, registers it again when the registry does not probe it
// for 15 s, and takes it out of the registry when ctx ends; then it returns nil. A
// registration that fails is tried again, each time later than the last and every
// 30 s at last. What failed is logged, once until one comes through again, to the
// logger of ctx. The error is that of the DELETE, which is given 2 s.
//
// The program's server must be there: a registry calls back before it answers.
func (s *Service) Run(ctx context.Context) error {
	failed, registered := 0, false
	for {
		err := s.register(ctx)
		registered = registered || err == nil
		if ctx.Err() != nil {
			return s.deregister(ctx, registered)
		}
		s.tell(ctx, err, failed)
		next := forgottenAfter
		if err == nil {
			failed = 0
			s.probed()
		} else {
			failed++
			longest := min(firstRetry<<min(failed-1, 10), lastRetry)
			next = longest/2 + rand.N(longest/2+1) // spread, so that not all come at once to a registry that is back
		}
		if !s.wait(ctx, next, failed > 0) {
			return s.deregister(ctx, registered)
		}
	}
}

// tell logs when registrations begin to fail and when they no longer do.
func (s *Service) tell(ctx context.Context, err error, failed int) {
	logger := klog.FromContext(ctx).WithValues("service", s.registration.ServiceName)
	switch {
	case err != nil && failed == 0:
		logger.Error(err, "Registration failed")
	case err == nil:
		logger.Info("Registered", "failed", failed)
	}
}

// wait returns when it is time to register: after d, or when the registry was
// silent for that long. It reports false when ctx ended.
func (s *Service) wait(ctx context.Context, d time.Duration, failed bool) bool {
	for d > 0 {
		if !pause.For(ctx, d) {
			return false
		}
		if failed {
			return true
		}
		d = forgottenAfter - s.silence()
	}
	return true
}

// register posts the registration.
func (s *Service) register(ctx context.Context) error {
	body, err := json.Marshal(s.registration)
	if err != nil {
		return err
	}
	s.providers.begin()
	err = s.call(ctx, http.MethodPost, "application/json", body)
	s.providers.end(err == nil)
	return err
}

// deregister ends the registration with a clock of its own, since that of ctx is
// over. Where none is known to have come through, one may have all the same, and
// then it does not matter that the registry knows none.
func (s *Service) deregister(ctx context.Context, registered bool) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	err := s.call(ctx, http.MethodDelete, "text/plain", []byte(s.registration.ServiceURL))
	if !registered {
		return nil
	}
	return err
}

// call sends one request, whose answer must be 200.
func (s *Service) call(ctx context.Context, method, contentType string, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, s.registry, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", contentType)
	response, err := s.client.Do(request)
	if err != nil {
		var failure interface{ Unwrap() error }
		if errors.As(err, &failure) {
			err = failure.Unwrap() // without the URL
		}
		return fmt.Errorf("%s to the registry: %w", method, err)
	}
	defer response.Body.Close()
	reason, _ := io.ReadAll(io.LimitReader(response.Body, 1<<10)) // it only explains the status
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s to the registry: %s: %s", method, response.Status, strings.TrimSpace(string(reason)))
	}
	return nil
}

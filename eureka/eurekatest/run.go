package eurekatest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config says which server is tested and how.
type Config struct {
	// BaseURL is what clients are configured with, such as
	// http://localhost:8761/eureka, with or without the slash at its end. User and
	// password in it are sent as basic auth.
	BaseURL string
	// Settle is how long a write may take to show in reads; 0 is
	// DefaultSettle. A server with Netflix's response cache needs 35 s.
	Settle time.Duration
	// Transport carries the requests; nil is a transport of Run's own.
	Transport http.RoundTripper
	// Checks are run; nil is all of them.
	Checks []Check
	// Report is called with each result as it comes; it may be nil.
	Report func(Result)
}

// DefaultSettle is how long a write may take to show in reads unless Config says
// otherwise.
const DefaultSettle = 2 * time.Second

// requestTimeout bounds one request and its answer.
const requestTimeout = 15 * time.Second

// Result is how one check went.
type Result struct {
	Check
	// Err says what the server did otherwise; nil is success.
	Err  error
	Took time.Duration
}

// Run runs checks one after the other and returns their results in that order.
// The error says why no check could be run, or that ctx ended. Several may test
// one server at once: each uses names of its own.
func Run(ctx context.Context, config Config) ([]Result, error) {
	target, err := newTarget(config)
	if err != nil {
		return nil, err
	}
	defer target.close()
	if err := target.reach(ctx); err != nil {
		return nil, err
	}
	checks := config.Checks
	if checks == nil {
		checks = Checks()
	}
	var results []Result
	for _, check := range checks {
		began := time.Now()
		err := target.run(ctx, check)
		if ctx.Err() != nil {
			return results, context.Cause(ctx)
		}
		result := Result{Check: check, Err: err, Took: time.Since(began)}
		results = append(results, result)
		if config.Report != nil {
			config.Report(result)
		}
	}
	return results, nil
}

// target is the server under test.
type target struct {
	base   string // without a slash at its end, and without credentials
	user   *url.Userinfo
	settle time.Duration
	client *http.Client
	nonce  string // makes the names of this run its own
	close  func()
}

func newTarget(config Config) (*target, error) {
	base, err := url.Parse(config.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", withoutURL(err))
	}
	if (base.Scheme != "http" && base.Scheme != "https") || base.Host == "" || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("base URL: want http(s)://HOST[:PORT]/PATH, such as http://localhost:8761/eureka")
	}
	t := &target{user: base.User, settle: config.Settle, nonce: rand.Text()[:6], close: func() {}}
	if t.settle <= 0 {
		t.settle = DefaultSettle
	}
	base.User = nil
	t.base = strings.TrimSuffix(base.String(), "/")
	transport := config.Transport
	if transport == nil {
		own := &http.Transport{DisableCompression: true, Proxy: http.ProxyFromEnvironment}
		transport, t.close = own, own.CloseIdleConnections
	}
	t.client = &http.Client{
		Transport: transport, Timeout: requestTimeout,
		// A redirect is a fault: many clients do not follow it (protocol section 6.6).
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return t, nil
}

// withoutURL drops the URL from a parse error, for it may hold a password.
func withoutURL(err error) error {
	var parse *url.Error
	if errors.As(err, &parse) {
		return parse.Err
	}
	return err
}

// reach fails if there is nobody, or nobody who speaks Eureka and takes
// registrations.
func (t *target) reach(ctx context.Context) error {
	s := &session{target: t}
	a, err := s.get(ctx, "/apps", asJSON)
	if err != nil {
		return err
	}
	switch {
	case a.status == http.StatusNotFound && !strings.Contains(t.base, "/eureka"):
		return fmt.Errorf("%s: want 200 before anything else is asked; is /eureka missing from the URL?", a)
	case a.status != http.StatusOK:
		return fmt.Errorf("%s: want 200 before anything else is asked", a)
	}
	// What is no registration says whether any would be taken.
	a, err = s.send(ctx, http.MethodPost, "/apps/EUREKATEST", "{", sendJSON, asJSON)
	switch {
	case err != nil:
		return err
	case a.status == http.StatusMethodNotAllowed, a.status == http.StatusForbidden:
		return fmt.Errorf("%s: the server takes no registrations from here, and every check registers", a)
	case a.status == http.StatusUnauthorized:
		return fmt.Errorf("%s: put the user and the password into the URL", a)
	}
	return nil
}

// run runs one check and takes away what it registered, whether it succeeded or
// not.
func (t *target) run(ctx context.Context, check Check) error {
	s := &session{target: t, app: strings.ToUpper("EUREKATEST-" + t.nonce + "-" + strings.ReplaceAll(check.Name, "/", "-"))}
	err := check.run(ctx, s)
	return errors.Join(err, s.cleanUp(context.WithoutCancel(ctx)))
}

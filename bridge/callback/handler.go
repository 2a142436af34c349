package callback

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/eurekube/eurekube/eureka/lease"
)

// path is where the protocol is served, with a slash behind it or without.
const path = "/services"

// answerWithin bounds how long a registration is answered after its body was read,
// whatever resolvers and programs do: programs wait for it in their start.
const answerWithin = 2 * time.Second

// ServeHTTP implements http.Handler.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := b.serve(w, r); err != nil {
		answer(w, r, err)
		return
	}
	w.WriteHeader(http.StatusOK)
}

func (b *Bridge) serve(w http.ResponseWriter, r *http.Request) error {
	if strings.TrimSuffix(r.URL.Path, "/") != path {
		return status(http.StatusNotFound)
	}
	var handle func(w http.ResponseWriter, r *http.Request) error
	switch {
	case b.config.Leases == nil:
	case r.Method == http.MethodPost:
		handle = b.register
	case r.Method == http.MethodDelete:
		handle = b.deregister
	}
	if handle == nil {
		w.Header().Set("Allow", b.allowed())
		return status(http.StatusMethodNotAllowed)
	}
	if fromPage(r) {
		return &refusal{http.StatusForbidden, "a page in a browser may not register or deregister services"}
	}
	if code := b.config.Users.Judge(w.Header(), r); code != http.StatusOK {
		return status(code)
	}
	if b.config.Snapshot() == nil {
		return status(http.StatusServiceUnavailable)
	}
	return handle(w, r)
}

func (b *Bridge) allowed() string {
	if b.config.Leases == nil {
		return ""
	}
	return http.MethodDelete + ", " + http.MethodPost
}

// register takes a registration. The program knows where what it requires is
// reached when it is answered, unless that takes too long.
func (b *Bridge) register(w http.ResponseWriter, r *http.Request) error {
	if isPageType(r) {
		return &refusal{http.StatusUnsupportedMediaType, "a registration is application/json"}
	}
	text, err := b.readBody(w, r)
	if err != nil {
		return err
	}
	reg, err := parseRegistration(text)
	if err != nil {
		return badRequest(err)
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerWithin)
	defer cancel()
	if err := b.mayCall(ctx, reg); err != nil {
		return err
	}
	svc, err := b.add(reg, sender(r))
	if err != nil {
		return err
	}
	b.config.ShownUnlessFlooded(ctx)
	select {
	case <-svc.informed:
	case <-ctx.Done():
	}
	return nil
}

// fromPage reports whether a browser sends r: any web page could register services
// with the help of somebody who reads it. Browsers say so in one of these headers
// with whatever is no GET, also where a page's own host leads to this server.
func fromPage(r *http.Request) bool {
	return r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
}

// isPageType reports whether the body is of a type that a browser, which may be too
// old to say who it is, sends anywhere without asking there first (Fetch standard,
// CORS-safelisted request-header).
func isPageType(r *http.Request) bool {
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return slices.Contains([]string{"application/x-www-form-urlencoded", "multipart/form-data", "text/plain"}, media)
}

// mayCall refuses a registration with an address that may not be called.
func (b *Bridge) mayCall(ctx context.Context, reg *registration) error {
	if err := b.calls.check(ctx, reg.heartbeat); err != nil {
		return unreachable("HeartbeatURL", err)
	}
	if len(reg.required) > 0 {
		if err := b.calls.check(ctx, reg.update); err != nil {
			return unreachable("ServiceUpdateURL", err)
		}
	}
	return nil
}

// unreachable is the answer to a URL that cannot be called: what is wrong with it is
// the sender's to mend, a resolver that is away is not.
func unreachable(name string, err error) error {
	var unknown *net.DNSError
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &unknown) && !unknown.IsNotFound {
		return &refusal{http.StatusServiceUnavailable, name + ": the host cannot be looked up now"}
	}
	return badRequest(fmt.Errorf("%s: %w", name, err))
}

// deregister ends the service whose URL is the body.
func (b *Bridge) deregister(w http.ResponseWriter, r *http.Request) error {
	text, err := b.readBody(w, r)
	if err != nil {
		return err
	}
	at, err := parseEndpoint(strings.TrimSpace(string(text)))
	if err != nil {
		return badRequest(fmt.Errorf("the ServiceURL in the body %w", err))
	}
	if err := b.end(at.id(), sender(r)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerWithin)
	defer cancel()
	b.config.Shown(ctx)
	return nil
}

// end ends the service with the id if the sender may.
func (b *Bridge) end(id string, sender netip.Addr) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	svc := b.services[id]
	if svc == nil {
		return badRequest(errors.New("no service has this ServiceURL"))
	}
	if err := b.mayWrite(svc, sender); err != nil {
		return err
	}
	err := b.remove(svc)
	b.note(svc, "Callback service deregistered", "remote", sender)
	if err != nil && !errors.Is(err, lease.ErrNotFound) {
		return err
	}
	return nil
}

// readBody reads a body within the bound.
func (b *Bridge) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, b.config.MaxBody))
	var exceeded *http.MaxBytesError
	if errors.As(err, &exceeded) {
		return nil, &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d bytes", b.config.MaxBody)}
	}
	if err != nil {
		return nil, badRequest(fmt.Errorf("the body could not be read: %w", err))
	}
	return text, nil
}

// sender is the address that a request came from. Headers of proxies are not
// believed: anybody can write them.
func sender(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{} // belongs to nobody
	}
	return at.Addr().Unmap()
}

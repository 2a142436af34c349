package httpserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"
)

// MaxHeaderBytes bounds the request line and headers of one request. Eureka
// clients send a few hundred bytes; the longest list of VIP names or regions
// seen in the field fits a fraction of this.
const MaxHeaderBytes = 64 << 10

// Timeouts bound how long one client may hold a connection. Zero is no bound.
type Timeouts struct {
	// Header is for the request line and headers. A client that sends them
	// byte by byte ends here.
	Header time.Duration
	// Read is for the whole request, body included.
	Read time.Duration
	// Write runs from the end of the headers to the end of the answer. A full
	// list is megabytes, and a client on a slow line still has to get it.
	Write time.Duration
	// Idle is how long a connection may wait for its next request. It has to be
	// longer than clients keep theirs (45 s, protocol section 6.7): a server that
	// hangs up first loses the request that is already on the wire.
	Idle time.Duration
}

// Config is what a Server needs. Addr and Handler are required.
type Config struct {
	// Name tells the servers of one program apart in the log.
	Name string
	// Addr is host:port as net.Listen takes it; port 0 picks a free one.
	Addr string
	// Handler answers the requests.
	Handler http.Handler
	// Timeouts bound each connection.
	Timeouts Timeouts
	// TLSCertFile and TLSKeyFile are PEM files; both empty is plain HTTP. A
	// change of their content is served within 10 s.
	TLSCertFile, TLSKeyFile string
	// Drain is how long the server keeps answering after it was told to stop.
	Drain time.Duration
	// StopTimeout bounds the end of the requests still in flight when the drain is
	// over; zero cuts them off at once. Run returns no later than Drain and
	// StopTimeout after it was told to stop.
	StopTimeout time.Duration
	// OnDrain, when set, is called once when the drain starts; it is where
	// readiness turns false.
	OnDrain func()
	// OnStop, when set, is called once when the drain is over and nothing listens
	// any more; it is where requests that wait for something to happen are ended.
	// Whoever asks again then is not answered by this server.
	OnStop func()
}

// Server serves one address. Build it with New, then call Listen and Run once
// each. Addr may be called by many goroutines at once after Listen returned.
type Server struct {
	cfg      Config
	http     *http.Server
	listener net.Listener
	keyPair  *keyPair // nil without TLS
	draining atomic.Bool

	// listen is net.ListenConfig.Listen; tests in virtual time replace it.
	listen func(ctx context.Context, network, addr string) (net.Listener, error)
}

// New returns a server that has not opened anything yet.
func New(cfg Config) *Server {
	s := &Server{cfg: cfg, listen: new(net.ListenConfig).Listen}
	if cfg.TLSCertFile != "" || cfg.TLSKeyFile != "" {
		s.keyPair = &keyPair{certFile: cfg.TLSCertFile, keyFile: cfg.TLSKeyFile}
	}
	s.http = &http.Server{
		Handler:           s.closeWhileDraining(cfg.Handler),
		ReadHeaderTimeout: cfg.Timeouts.Header,
		ReadTimeout:       cfg.Timeouts.Read,
		WriteTimeout:      cfg.Timeouts.Write,
		IdleTimeout:       cfg.Timeouts.Idle,
		MaxHeaderBytes:    MaxHeaderBytes,
	}
	return s
}

// Listen opens the address and reads the certificate, so that a taken port or
// an unusable key is an error before anything else starts. Connections wait in
// the kernel until Run.
func (s *Server) Listen(ctx context.Context) error {
	if s.keyPair != nil {
		if err := s.keyPair.load(); err != nil {
			return fmt.Errorf("serve %s: %w", s.cfg.Name, err)
		}
		s.http.TLSConfig = &tls.Config{
			MinVersion:     tls.VersionTLS12,
			GetCertificate: s.keyPair.get,
		}
	}
	listener, err := s.listen(ctx, "tcp", s.cfg.Addr)
	if err != nil {
		return fmt.Errorf("serve %s: %w", s.cfg.Name, err)
	}
	s.listener = listener
	return nil
}

// Addr is the bound address, with the port that was picked for port 0. It is
// nil before Listen.
func (s *Server) Addr() net.Addr {
	if s.listener == nil {
		return nil
	}
	return s.listener.Addr()
}

// Run serves until ctx ends, then for Config.Drain longer, then lets the
// requests in flight finish, and returns nil when every goroutine it started
// has ended; handlers that are still at work after Config.StopTimeout are not
// waited for. It returns an error when serving fails on its own. Requests
// outlive ctx: their contexts carry its values, not its end.
func (s *Server) Run(ctx context.Context) error {
	if s.listener == nil {
		return fmt.Errorf("serve %s: Run before Listen", s.cfg.Name)
	}
	logger := klog.FromContext(ctx).WithValues("server", s.cfg.Name, "address", s.Addr().String())
	s.http.ErrorLog = connectionLog(logger)
	s.http.BaseContext = func(net.Listener) context.Context { return context.WithoutCancel(ctx) }

	watchCtx, stopWatch := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if s.keyPair != nil {
			s.keyPair.watch(klog.NewContext(watchCtx, logger))
		}
	}()
	served := make(chan error, 1)
	go func() { served <- s.serve() }()
	logger.Info("Listening", "tls", s.keyPair != nil)

	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
		s.drain(ctx, logger)
		err = <-served
	}
	stopWatch()
	<-watched
	if !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve %s: %w", s.cfg.Name, err)
	}
	logger.Info("Stopped serving")
	return nil
}

func (s *Server) serve() error {
	if s.keyPair != nil {
		return s.http.ServeTLS(s.listener, "", "")
	}
	return s.http.Serve(s.listener)
}

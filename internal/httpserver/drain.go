package httpserver

import (
	"context"
	"net/http"
	"time"

	"k8s.io/klog/v2"
)

// drain takes the clients off this server without losing a request of theirs.
//
// Those that look for a server see that this one is no longer ready; those that
// hold a connection are told with their next answer that it is the last on it.
// Connections that wait are left open meanwhile: a request may already be on
// its way in them (field case 105). Only then does the listener close.
func (s *Server) drain(ctx context.Context, logger klog.Logger) {
	logger.Info("Draining", "drain", s.cfg.Drain)
	s.draining.Store(true)
	if s.cfg.OnDrain != nil {
		s.cfg.OnDrain()
	}
	time.Sleep(s.cfg.Drain)

	// A child of ctx would have ended before the work began.
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.StopTimeout)
	defer cancel()
	if s.cfg.OnStop != nil {
		told := make(chan struct{})
		s.http.RegisterOnShutdown(func() {
			defer close(told)
			s.cfg.OnStop()
		})
		defer func() { <-told }()
	}
	if err := s.http.Shutdown(stopping); err != nil {
		logger.Error(err, "Requests outlived the drain and were cut off", "timeout", s.cfg.StopTimeout)
		s.http.Close() //nolint:errcheck // the listener is closed already, and there is nobody left to tell
	}
}

// closeWhileDraining announces the end of the connection with each answer that
// begins while the server drains. HTTP/2 connections get a GOAWAY from the same
// header.
func (s *Server) closeWhileDraining(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

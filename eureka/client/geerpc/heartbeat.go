package geerpc

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"k8s.io/klog/v2"

	"github.com/eurekube/eurekube/internal/pause"
)

// DefaultInterval is the time between two heartbeats: a minute less than the five
// that a registry keeps a server by default.
const DefaultInterval = 4 * time.Minute

// How soon a heartbeat that failed is tried again: after firstRetry, and then twice
// as long each time up to lastRetry or the interval. It is well within the minute
// that is left of a server's life.
const (
	firstRetry = time.Second
	lastRetry  = 30 * time.Second
)

// Heartbeat announces addr, written PROTOCOL@HOST:PORT, to the registry of that
// URL at once and then every interval, until ctx ends; then it returns nil. An
// interval of 0 is DefaultInterval; it should be shorter than the registry keeps a
// server. Heartbeats that fail, for whatever reason, are tried again sooner, each
// time later than the last. What failed is logged, once until one comes through
// again, to the logger of ctx. The error says that registry is no URL.
func Heartbeat(ctx context.Context, registry, addr string, interval time.Duration) error {
	return heartbeat(ctx, newClient(), registry, addr, interval)
}

func heartbeat(ctx context.Context, client *http.Client, registry, addr string, interval time.Duration) error {
	if _, err := newRequest(ctx, http.MethodPost, registry); err != nil {
		return fmt.Errorf("send heartbeats: %w", err)
	}
	if interval == 0 {
		interval = DefaultInterval
	}
	h := heart{interval: interval, post: func(ctx context.Context) error { return postServer(ctx, client, registry, addr) }}
	h.run(klog.NewContext(ctx, klog.LoggerWithValues(klog.FromContext(ctx), "server", addr)))
	return nil
}

// heart sends heartbeats. It belongs to one goroutine.
type heart struct {
	interval time.Duration
	post     func(context.Context) error
	failed   int // heartbeats since the last that came through
}

func (h *heart) run(ctx context.Context) {
	for ctx.Err() == nil {
		h.beat(ctx)
		pause.For(ctx, h.pause())
	}
}

// beat sends one heartbeat and logs when they begin to fail and when they no
// longer do.
func (h *heart) beat(ctx context.Context) {
	logger := klog.FromContext(ctx)
	err := h.post(ctx)
	switch {
	case err == nil:
		if h.failed > 0 {
			logger.Info("Heartbeat came through again", "failed", h.failed)
		}
		h.failed = 0
	case ctx.Err() != nil: // it is over
	default:
		if h.failed == 0 {
			logger.Error(err, "Heartbeat failed")
		}
		h.failed++
	}
}

// pause is the time until the next heartbeat. Retries are spread, so that all
// servers do not come at once to a registry that is back.
func (h *heart) pause() time.Duration {
	if h.failed == 0 {
		return h.interval
	}
	longest := min(firstRetry<<min(h.failed-1, 10), lastRetry, h.interval)
	return longest/2 + rand.N(longest/2+1)
}

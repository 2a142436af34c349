package geerpc

import (
	"context"
	"net/http"
	"time"
)

// NewDiscoveryThrough is NewDiscovery with another way to the registry.
func NewDiscoveryThrough(transport http.RoundTripper, expiry time.Duration) *Discovery {
	d := NewDiscovery("http://registry.example/_geerpc_/registry", expiry)
	d.client.Transport = transport
	return d
}

// HeartbeatThrough is Heartbeat with another way to the registry.
func HeartbeatThrough(ctx context.Context, transport http.RoundTripper, addr string, interval time.Duration) error {
	return heartbeat(ctx, &http.Client{Transport: transport}, "http://registry.example/_geerpc_/registry", addr, interval)
}

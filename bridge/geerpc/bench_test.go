package geerpc

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/registry"
)

// filled is a bridge over a registry with servers of GeeRPC among twice as many
// instances that are none.
func filled(b *testing.B, servers int) rig {
	bridge := start(b)
	for n := range servers {
		s, err := parseServer(address(n))
		if err != nil {
			b.Fatal(err)
		}
		inst, _ := s.instance(address(n), "GEERPC", 0, netip.Addr{})
		bridge.config.Registry.Replace(registry.OwnerPod, fmt.Sprint("s", n), registry.Listed(inst))
		for m := range 2 {
			other := &eureka.Instance{ID: fmt.Sprint(n, "-", m), App: fmt.Sprint("APP", n%100), Status: eureka.StatusUp, Metadata: map[string]string{"version": "1"}}
			bridge.config.Registry.Replace(registry.OwnerPod, fmt.Sprint("o", n, "-", m), registry.Listed(other))
		}
	}
	bridge.settle(b.Context(), 3*servers)
	return bridge
}

// BenchmarkGet is the whole answer when nothing changed.
func BenchmarkGet(b *testing.B) {
	bridge := filled(b, 10_000)
	request := httptest.NewRequestWithContext(b.Context(), http.MethodGet, Path, http.NoBody)
	b.Run("servers=10000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			bridge.Get(httptest.NewRecorder(), request)
		}
	})
}

// BenchmarkList is what the first GET after a change costs more: after a change of
// another application, and with nothing known.
func BenchmarkList(b *testing.B) {
	bridge := filled(b, 10_000)
	s := bridge.config.Snapshot()
	b.Run("servers=10000/change=other", func(b *testing.B) {
		var l list
		l.of(s)
		b.ReportAllocs()
		for b.Loop() {
			l.known = false
			l.of(s)
		}
	})
	b.Run("servers=10000/change=all", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var l list
			l.of(s)
		}
	})
}

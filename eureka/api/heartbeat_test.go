package api

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// TestHeartbeatAllocations bounds what a heartbeat allocates beyond what net/http
// does: it is the most frequent request of all, and the more of them fit between two
// collections of garbage, the fewer reads meet one.
func TestHeartbeatAllocations(t *testing.T) {
	const most = 2 // the answer in the making, and the label of its status
	s := run(t, withLeases)
	s.open()
	s.register(registration("A", "i1"))
	req := httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/eureka/apps/A/i1?status=UP&lastDirtyTimestamp=1000", http.NoBody)
	w := discard{header: make(http.Header)}
	if got := testing.AllocsPerRun(100, func() { s.api.ServeHTTP(&w, req) }); got > most {
		t.Errorf("a heartbeat allocates %v times, want at most %d", got, most)
	}
}

// discard is an answer that nobody reads.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(int)             {}

// BenchmarkHeartbeats compares heartbeats of 10,000 leases with a handler that
// does nothing, over kept-alive connections, so that what net/http takes for
// either is in both.
func BenchmarkHeartbeats(b *testing.B) {
	const leases = 10_000
	s := idle(b)
	for n := range leases {
		i := inst(fmt.Sprintf("APP%d", n%100), fmt.Sprintf("i%d", n))
		i.LastDirtyTimestamp = 1700000000000
		if err := s.leases.Register(b.Context(), i, netip.Addr{}, false); err != nil {
			b.Fatal(err)
		}
	}
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	for _, bench := range []struct {
		name    string
		handler http.Handler
	}{{"bare", bare}, {"leases=10000", s.api}} {
		b.Run(bench.name, func(b *testing.B) {
			listener := httptest.NewServer(bench.handler)
			defer listener.Close()
			address := listener.Listener.Addr().String()
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				conn, err := net.Dial("tcp", address)
				if err != nil {
					b.Error(err)
					return
				}
				defer conn.Close()
				answer := make([]byte, 4096)
				for n := 0; pb.Next(); n++ {
					if _, err := fmt.Fprintf(conn, "PUT /eureka/apps/APP%d/i%d?status=UP&lastDirtyTimestamp=1700000000000 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", n%100, n%leases); err != nil {
						b.Error(err)
						return
					}
					read, err := io.ReadAtLeast(conn, answer, len("HTTP/1.1 200 OK"))
					if err != nil || !strings.HasPrefix(string(answer[:read]), "HTTP/1.1 200 OK") {
						b.Errorf("answer = %q, %v", answer[:read], err)
						return
					}
				}
			})
		})
	}
}

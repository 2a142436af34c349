package events

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/eurekube/eurekube/eureka/registry"
)

// TestAClientOfHTTP2ThatReadsNothingIsCut has a client open its window for less than
// the list: the connection goes on, so the deadline has to end the stream.
func TestAClientOfHTTP2ThatReadsNothingIsCut(t *testing.T) {
	inBubble(t, func(r *rig) {
		for n := range 300 {
			name := fmt.Sprint("n", n)
			r.registry.Replace(registry.OwnerPod, name, registry.Listed(up("B", name)))
		}
		r.settle()
		transport := &http.Transport{
			Protocols: new(http.Protocols),
			HTTP2:     &http.HTTP2Config{MaxReceiveBufferPerStream: 64 << 10},
			DialContext: func(context.Context, string, string) (net.Conn, error) {
				conn, server := net.Pipe()
				r.pipes <- server
				return conn, nil
			},
		}
		transport.Protocols.SetUnencryptedHTTP2(true)
		defer transport.CloseIdleConnections()
		answer, err := transport.RoundTrip(must(http.NewRequestWithContext(r.Context(), http.MethodGet, "http://eurekube/eureka/stream?full=true", http.NoBody)))
		if err != nil {
			r.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.ProtoMajor != 2 {
			r.Fatalf("the stream is on %s, want HTTP/2", answer.Proto)
		}
		start := time.Now()
		for r.count("eurekube_streams_cut_total", cutSlow) == 0 {
			if time.Sleep(time.Second); time.Since(start) > 2*writeTimeout {
				r.Fatalf("the client is not cut after %v, want it after %v", time.Since(start), writeTimeout)
			}
		}
		r.settle()
		if open := r.count("eurekube_streams", ""); open != 0 {
			r.Errorf("%v streams are open, want none", open)
		}
	})
}

func must(r *http.Request, err error) *http.Request {
	if err != nil {
		panic(err)
	}
	return r
}

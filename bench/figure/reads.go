package figure

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"
)

// Read is one kind of read, over a registry whose delta holds Changes instances.
type Read struct {
	Name    string
	Path    string
	Gzip    bool
	Changes int
}

// Reads are those that are measured, all in JSON.
var Reads = []Read{
	{Name: "delta-empty-plain", Path: "/eureka/apps/delta"},
	{Name: "delta-plain", Path: "/eureka/apps/delta", Changes: 20},
	{Name: "delta-gzip", Path: "/eureka/apps/delta", Gzip: true, Changes: 20},
	{Name: "full-gzip", Path: "/eureka/apps", Gzip: true},
	{Name: "full-plain", Path: "/eureka/apps"},
}

// header is what the client sends.
func (r Read) header() []string {
	header := []string{"Accept: application/json"}
	if r.Gzip {
		header = append(header, "Accept-Encoding: gzip")
	}
	return header
}

// question asks for the read, over connections enough for answers that are ready.
func (r Read) question() question {
	return question{
		name:        "read " + r.Name,
		dial:        func(address string) (*wire, error) { return dialRead(address, r.Path, r.header()...) },
		connections: 4,
		span:        100 * time.Millisecond,
	}
}

// Throughput is a request beside the same answer from a bare handler.
type Throughput struct {
	// Body is the length of an answer in bytes.
	Body int
	// Rate and Bare are answers per second, medians over the rounds.
	Rate, Bare float64
	// Ratio is the median over the rounds of Rate through Bare.
	Ratio float64
	// ProcessorRatio is the same of answers per second of processor time, which
	// other programs on the machine disturb less. Both sides include the client.
	ProcessorRatio float64
}

// MeasureRead measures a read over pods, in rounds that ask one server and then
// the other.
func MeasureRead(ctx context.Context, pods, rounds int, read Read) (Throughput, error) {
	s, err := serve(pods)
	if err != nil {
		return Throughput{}, err
	}
	for n := range 2 * read.Changes {
		if _, err := s.change(n); err != nil {
			return Throughput{}, err
		}
	}
	s.start(ctx)
	defer s.close()

	recorded := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, read.Path, nil)
	request.Header.Set("Accept", "application/json")
	if read.Gzip {
		request.Header.Set("Accept-Encoding", "gzip")
	}
	s.api.ServeHTTP(recorded, request)
	if recorded.Code != http.StatusOK {
		return Throughput{}, fmt.Errorf("read %s: status %d", read.Name, recorded.Code)
	}
	t, err := compare(ctx, s.api, bare(recorded), rounds, read.question())
	t.Body = recorded.Body.Len()
	return t, err
}

// bare is a handler that writes a recorded answer and does nothing else.
func bare(recorded *httptest.ResponseRecorder) http.Handler {
	header, body := recorded.Header(), recorded.Body.Bytes()
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		for name, values := range header {
			h[name] = values
		}
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(body) // the client is gone: nobody is left to tell
	})
}

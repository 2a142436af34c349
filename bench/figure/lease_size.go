package figure

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"time"

	"github.com/eurekube/eurekube/eureka/registry"
)

// LeaseSize is the memory of one instance that registered itself, in bytes.
type LeaseSize struct {
	// Heap is by how much the heap grows, with everything that is kept ready for
	// readers of JSON: the full list, plain and gzip.
	Heap int
	// Encoded is its JSON in a plain full list.
	Encoded int
}

// Beyond is what a lease takes besides its encoded form.
func (s LeaseSize) Beyond() int { return s.Heap - s.Encoded }

// MeasureLeaseSize measures the mean over instances, after the delta has
// forgotten them.
func MeasureLeaseSize(ctx context.Context, instances int) (LeaseSize, error) {
	l, err := serveLeases(ctx, 0)
	if err != nil {
		return LeaseSize{}, err
	}
	defer l.close()
	before := heap()
	if err := l.register(ctx, instances); err != nil {
		return LeaseSize{}, err
	}
	l.ahead.Add(int64(registry.DeltaWindow + time.Second))
	l.registry.Forget()
	if err := l.readAsSpring(ctx); err != nil {
		return LeaseSize{}, err
	}
	recorded := httptest.NewRecorder()
	request := httptest.NewRequestWithContext(ctx, http.MethodGet, "/eureka/apps", nil)
	request.Header.Set("Accept", mediaJSON)
	l.api.ServeHTTP(recorded, request)
	encoded := recorded.Body.Len()
	recorded.Body = new(bytes.Buffer)
	grown := heap() - before
	runtime.KeepAlive(l)
	return LeaseSize{Heap: grown / instances, Encoded: encoded / instances}, nil
}

// heap is how many bytes live after a collection. The second one ends the sweep
// of the first and empties the pools.
func heap() int {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

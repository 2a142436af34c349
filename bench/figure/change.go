package figure

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/eurekube/eurekube/eureka/registry"
)

// changePeriod is the time between two changes by the registry's clock: 50 a
// second, as in the other figures.
const changePeriod = 20 * time.Millisecond

// readEvery is how many changes pass between two reads of all answers: a second.
const readEvery = int(time.Second / changePeriod)

// ChangeCost is what one change costs this process, from the pod to the
// published snapshot, in processor time.
type ChangeCost struct {
	// PerChange includes encoding ahead of the readers and a read of each answer
	// once a second.
	PerChange time.Duration
	// Published is from a change to the snapshot that shows it, without a holdoff.
	Published Latency
	// Delta is how many bytes the plain delta had at the end: the change log of
	// three minutes is full in all sizes.
	Delta int
}

// MeasureChange measures the processor time of a change over instances, as the
// mean over changes, each published on its own: the dearest way, since the
// program publishes neighbours together. JSON is read, plain and gzip, full and
// delta.
func MeasureChange(ctx context.Context, instances, changes int) (ChangeCost, error) {
	s, err := serve(instances)
	if err != nil {
		return ChangeCost{}, err
	}
	n := 0
	for range int(registry.DeltaWindow / changePeriod) {
		if _, err := s.change(n); err != nil {
			return ChangeCost{}, err
		}
		s.pass(changePeriod)
		n++
	}
	s.start(ctx)
	defer s.close()
	if _, err := s.readAll(ctx); err != nil {
		return ChangeCost{}, err
	}
	if _, err = s.changeAndRead(ctx, n, readEvery); err != nil { // settles heap and pools
		return ChangeCost{}, err
	}
	n += readEvery
	used, err := processorTime()
	if err != nil {
		return ChangeCost{}, err
	}
	published, err := s.changeAndRead(ctx, n, changes)
	if err != nil {
		return ChangeCost{}, err
	}
	usedThen, err := processorTime()
	if err != nil {
		return ChangeCost{}, err
	}
	delta, err := s.readAll(ctx)
	return ChangeCost{PerChange: (usedThen - used) / time.Duration(changes), Published: latencyOf(published), Delta: delta}, err
}

// changeAndRead makes changes from the n-th on and returns how long each took
// until it was published.
func (s *served) changeAndRead(ctx context.Context, n, changes int) (published []time.Duration, err error) {
	for i := range changes {
		began := time.Now()
		version, err := s.change(n + i)
		if err != nil {
			return nil, err
		}
		s.await(version)
		published = append(published, time.Since(began))
		s.pass(changePeriod)
		if i%readEvery == readEvery-1 {
			if _, err := s.readAll(ctx); err != nil {
				return nil, err
			}
		}
	}
	return published, nil
}

// readAll reads full list and delta, plain and gzip, and returns the length of
// the plain delta.
func (s *served) readAll(ctx context.Context) (delta int, err error) {
	for _, path := range [...]string{"/eureka/apps", "/eureka/apps/delta"} {
		for _, encoding := range [...]string{"identity", "gzip"} {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, path, nil)
			if err != nil {
				return 0, err
			}
			request.Header.Set("Accept", "application/json")
			request.Header.Set("Accept-Encoding", encoding)
			answer := discard{header: make(http.Header)}
			s.api.ServeHTTP(&answer, request)
			if answer.status != http.StatusOK {
				return 0, fmt.Errorf("read %s: status %d", path, answer.status)
			}
			if encoding == "identity" {
				delta = answer.length // of the last path, which is the delta
			}
		}
	}
	return delta, nil
}

// discard is an http.ResponseWriter that only counts.
type discard struct {
	header http.Header
	status int
	length int
}

func (d *discard) Header() http.Header { return d.header }

func (d *discard) WriteHeader(status int) { d.status = status }

func (d *discard) Write(b []byte) (int, error) {
	d.length += len(b)
	return len(b), nil
}

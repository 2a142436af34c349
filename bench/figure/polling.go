package figure

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/bench/program"
)

// Polling is how clients fare that all poll the delta while pods change (field
// case 101).
type Polling struct {
	// Latency is from the request to the last byte of its answer.
	Latency Latency
	// Errors counts the requests without a whole answer, and FirstError is one of
	// them.
	Errors     int
	FirstError error
	// Processor is the processor time that the program used per second, Memory
	// its resident memory at the end.
	Processor time.Duration
	Memory    program.Memory
	// Late is as in Freshness.
	Late time.Duration
}

// pollPeriod is how often each client polls. Clients poll every 30 seconds
// unless told otherwise; these stand for thirty times as many.
const pollPeriod = time.Second

// MeasurePolling measures clients that each poll the delta every second as gzip
// in JSON, as Spring's clients ask for it, at 50 changes a second among pods.
// Each begins at a time of its own, and none asks only for what is new: Eureka
// clients do not.
func MeasurePolling(ctx context.Context, binary string, pods, clients int, duration time.Duration) (Polling, error) {
	c, err := startCluster(ctx, binary, pods, int(duration/changePeriod/2)+1)
	if err != nil {
		return Polling{}, err
	}
	defer c.close()
	if _, err := c.ready(ctx); err != nil {
		return Polling{}, err
	}
	used, err := c.ProcessorTime()
	if err != nil {
		return Polling{}, err
	}
	began := time.Now()
	crowdCtx, stop := context.WithTimeout(ctx, duration)
	defer stop()
	var running errgroup.Group
	var late time.Duration
	running.Go(func() error { late = c.churn(crowdCtx, func(*corev1.Pod) {}); return nil })
	var crowd crowd
	client := newClient(clients)
	for range clients {
		r := &reader{client: client, url: c.API + "/eureka/apps/delta", accept: mediaJSON, gzip: true}
		running.Go(func() error { crowd.poll(crowdCtx, r); return nil })
	}
	_ = running.Wait() // nobody in it fails
	usedThen, err := c.ProcessorTime()
	if err != nil {
		return Polling{}, err
	}
	elapsed := time.Since(began)
	memory, err := c.Memory()
	if err != nil {
		return Polling{}, err
	}
	if len(crowd.took) == 0 {
		return Polling{}, errors.New("not one request was answered")
	}
	return Polling{
		Latency: latencyOf(crowd.took), Errors: crowd.errors, FirstError: crowd.first,
		Processor: time.Duration(float64(usedThen-used) / elapsed.Seconds()), Memory: memory, Late: late,
	}, nil
}

// crowd is what all clients met.
type crowd struct {
	mu     sync.Mutex // guards all below
	took   []time.Duration
	errors int
	first  error
}

// poll reads once in a period until ctx ends.
func (c *crowd) poll(ctx context.Context, r *reader) {
	next := time.Now().Add(rand.N(pollPeriod))
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(next)):
		}
		// A request is meant for its time: one that had to wait for the last
		// answer is late by that too.
		meant := next
		next = next.Add(pollPeriod)
		body, err := r.read(context.WithoutCancel(ctx))
		if err == nil && len(body) == 0 {
			err = errors.New("empty answer")
		}
		c.note(time.Since(meant), err)
	}
}

func (c *crowd) note(took time.Duration, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		c.took = append(c.took, took)
		return
	}
	c.errors++
	if c.first == nil {
		c.first = err
	}
}

package figure

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"
)

// Freshness is the time from a pod's Ready event, as it is handed to the watch,
// until a client has read an answer that lists the pod.
type Freshness struct {
	// Delta is of a client that reads the plain delta, Full of one that reads the
	// full list as gzip, both in JSON.
	Delta, Full Latency
	// Processor is the processor time that the program used per second.
	Processor time.Duration
	// Late is by how much the load's own timers were late at most. Latencies near
	// it are the machine's, which was busy with something else.
	Late time.Duration
}

// Both clients ask for what is new, pollPause after each answer, which is part
// of what is measured.
const pollPause = 2 * time.Millisecond

// awaitLast is how long clients go on at most until they have seen the last pods.
const awaitLast = time.Minute

// await returns when all has been seen, or after awaitLast or the end of ctx: what is
// missing is told by whoever sums up.
func await(ctx context.Context, all func() bool) {
	ctx, cancel := context.WithTimeout(ctx, awaitLast)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !all() {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// MeasureFreshness measures pods turning ready, 25 a second beside 25 that turn
// unready, among pods.
func MeasureFreshness(ctx context.Context, binary string, pods int, duration time.Duration) (Freshness, error) {
	spare := int(duration / changePeriod / 2)
	c, err := startCluster(ctx, binary, pods, spare)
	if err != nil {
		return Freshness{}, err
	}
	defer c.close()
	if _, err := c.ready(ctx); err != nil {
		return Freshness{}, err
	}
	o := newObserver(c)
	var polling errgroup.Group
	pollCtx, stop := context.WithCancel(ctx)
	defer stop()
	polling.Go(func() error { return o.pollDelta(pollCtx) })
	polling.Go(func() error { return o.pollFull(pollCtx) })

	used, err := c.ProcessorTime()
	if err != nil {
		return Freshness{}, err
	}
	began := time.Now()
	late := c.churn(ctx, o.sent)
	usedThen, err := c.ProcessorTime()
	if err != nil {
		return Freshness{}, err
	}
	elapsed := time.Since(began)
	await(ctx, o.complete)
	stop()
	if err := polling.Wait(); err != nil {
		return Freshness{}, err
	}
	f, err := o.freshness()
	f.Late = late
	f.Processor = time.Duration(float64(usedThen-used) / elapsed.Seconds())
	return f, err
}

package figure

import (
	"context"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eurekube/eurekube/bench/spring"
)

// Interference is how reads fare while heartbeats come.
type Interference struct {
	// Quiet and Busy are the reads without and with heartbeats, Ratio the median
	// over the rounds of the 99th percentile with through that without.
	Quiet, Busy Latency
	Ratio       float64
	// Heartbeats is how many were answered per second.
	Heartbeats float64
}

// What comes at the program: the delta as gzip, as Spring's clients read it, and
// heartbeats, each at its own time whatever became of the others.
const (
	readsPerSecond      = 200
	heartbeatsPerSecond = 5_000
	readConnections     = 8
	beatConnections     = 16
)

// MeasureInterference measures reads of the delta at a program with leases in
// rounds of twice span, without heartbeats and with.
func MeasureInterference(ctx context.Context, binary string, leases, rounds int, span time.Duration) (Interference, error) {
	c, err := startCluster(ctx, binary, 0, 0)
	if err != nil {
		return Interference{}, err
	}
	defer c.close()
	if _, err := c.ready(ctx); err != nil {
		return Interference{}, err
	}
	api, err := url.Parse(c.API)
	if err != nil {
		return Interference{}, err
	}
	address := api.Host
	if err := registerAll(address, leases); err != nil {
		return Interference{}, err
	}
	var quiet, busy []time.Duration
	var ratios []float64
	beats := 0
	for round := range rounds + 1 {
		without, _, err := readBeside(address, 0, span)
		if err != nil {
			return Interference{}, err
		}
		with, n, err := readBeside(address, leases, span)
		if err != nil {
			return Interference{}, err
		}
		if round == 0 { // heap and connections grow
			continue
		}
		beats += n
		quiet, busy = append(quiet, without...), append(busy, with...)
		ratios = append(ratios, float64(latencyOf(with).P99)/float64(latencyOf(without).P99))
	}
	return Interference{
		Quiet: latencyOf(quiet), Busy: latencyOf(busy), Ratio: median(ratios),
		Heartbeats: float64(beats) / (time.Duration(rounds) * span).Seconds(),
	}, nil
}

// registerAll registers leases, a part of them over each connection.
func registerAll(address string, leases int) error {
	var sent atomic.Int64
	var running errgroup.Group
	for range beatConnections {
		running.Go(func() error {
			w, err := dial(address)
			if err != nil {
				return err
			}
			defer w.close()
			for i := int(sent.Add(1) - 1); i < leases; i = int(sent.Add(1) - 1) {
				w.request = spring.AppendRegistration(w.request[:0], i, began.UnixMilli())
				if err := w.ask(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return running.Wait()
}

// readBeside reads for span while leases are renewed, none if leases is 0. It
// returns how long each read took from the time at which it was due, and the
// number of renewals.
func readBeside(address string, leases int, span time.Duration) (took []time.Duration, beats int, err error) {
	var running errgroup.Group
	var mu sync.Mutex // guards took
	for range readConnections {
		running.Go(func() error {
			w, err := dialRead(address, "/eureka/apps/delta", "Accept: "+mediaJSON, "Accept-Encoding: gzip")
			if err != nil {
				return err
			}
			defer w.close()
			mine, err := w.askEvery(time.Second*readConnections/readsPerSecond, span)
			mu.Lock()
			defer mu.Unlock()
			took = append(took, mine...)
			return err
		})
	}
	var sent atomic.Int64
	if leases > 0 {
		for range beatConnections {
			running.Go(func() error {
				w, err := dial(address)
				if err != nil {
					return err
				}
				defer w.close()
				w.next = func(dst []byte) []byte {
					return spring.AppendHeartbeat(dst, int(sent.Add(1)-1)%leases, began.UnixMilli())
				}
				_, err = w.askEvery(time.Second*beatConnections/heartbeatsPerSecond, span)
				return err
			})
		}
	}
	err = running.Wait()
	return took, int(sent.Load()), err
}

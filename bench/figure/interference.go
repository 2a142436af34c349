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
	// Quiet and Busy are the reads without and with heartbeats, Elsewhere those
	// while as many go to another server on the same machine.
	Quiet, Busy, Elsewhere Latency
	// Ratio is the median over the rounds of the 99th percentile of Busy through
	// that of Quiet. On two cores most of it may be that load and program want the
	// same cores; Inside is that through Elsewhere, and so what heartbeats do to reads
	// within one program: locks, and the garbage that they make.
	Ratio, Inside float64
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
// rounds of three times span: without heartbeats, with, and with heartbeats of
// another program that has the same leases.
func MeasureInterference(ctx context.Context, binary string, leases, rounds int, span time.Duration) (Interference, error) {
	var addresses [2]string // of the program that is read, and of the other
	for i := range addresses {
		c, err := startCluster(ctx, binary, 0, 0)
		if err != nil {
			return Interference{}, err
		}
		defer c.close()
		if addresses[i], err = c.register(ctx, leases); err != nil {
			return Interference{}, err
		}
	}
	read, other := addresses[0], addresses[1]
	var all [3][]time.Duration // quiet, busy, elsewhere
	var ratios, inside []float64
	beats := 0
	for round := range rounds + 1 {
		var took [len(all)][]time.Duration
		var n [len(all)]int
		for i, part := range [len(all)]beating{{read, 0}, {read, leases}, {other, leases}} {
			var err error
			if took[i], n[i], err = readBeside(read, part, span); err != nil {
				return Interference{}, err
			}
		}
		if round == 0 { // heap and connections grow
			continue
		}
		var p99 [len(all)]float64
		for i := range all {
			all[i] = append(all[i], took[i]...)
			p99[i] = float64(latencyOf(took[i]).P99)
		}
		beats += n[1]
		ratios, inside = append(ratios, p99[1]/p99[0]), append(inside, p99[1]/p99[2])
	}
	return Interference{
		Quiet: latencyOf(all[0]), Busy: latencyOf(all[1]), Elsewhere: latencyOf(all[2]),
		Ratio: median(ratios), Inside: median(inside),
		Heartbeats: float64(beats) / (time.Duration(rounds) * span).Seconds(),
	}, nil
}

// register returns the address of the program when it has leases.
func (c *cluster) register(ctx context.Context, leases int) (address string, err error) {
	if _, err := c.ready(ctx); err != nil {
		return "", err
	}
	api, err := url.Parse(c.API)
	if err != nil {
		return "", err
	}
	return api.Host, registerAll(api.Host, leases)
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

// beating is a server whose leases are renewed, none if leases is 0.
type beating struct {
	address string
	leases  int
}

// readBeside reads at address for span while leases are renewed, there or
// elsewhere. It returns how long each read took from the time at which it was due,
// and the number of renewals.
func readBeside(address string, beat beating, span time.Duration) (took []time.Duration, beats int, err error) {
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
	if beat.leases > 0 {
		for range beatConnections {
			running.Go(func() error {
				w, err := dial(beat.address)
				if err != nil {
					return err
				}
				defer w.close()
				w.next = func(dst []byte) []byte {
					return spring.AppendHeartbeat(dst, int(sent.Add(1)-1)%beat.leases, began.UnixMilli())
				}
				_, err = w.askEvery(time.Second*beatConnections/heartbeatsPerSecond, span)
				return err
			})
		}
	}
	err = running.Wait()
	return took, int(sent.Load()), err
}

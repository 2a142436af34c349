package figure

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eurekube/eurekube/internal/httpserver"
)

// question is what both servers are asked.
type question struct {
	name string
	// dial makes the connections over which a server is asked at once: enough to
	// keep two cores busy.
	dial        func(address string) (*wire, error)
	connections int
	// span is how long a round asks each server. Many short rounds rather than
	// few long ones, because what else the machine does changes meanwhile.
	span time.Duration
	// settle returns when our server has done all that the answers left to do; the
	// processor time of that is theirs. It may be nil.
	settle func()
	// between is called after a part of a round, outside the time; it may be nil.
	between func() error
}

// timeouts are the program's defaults. Both sides have them: they cost a few
// timers for each request, whatever the handler is.
var timeouts = httpserver.Timeouts{Header: 10 * time.Second, Read: 10 * time.Second, Write: time.Minute, Idle: 90 * time.Second}

// compare serves the API by the program's server, and the bare handler by
// net/http's.
func compare(ctx context.Context, ours, bare http.Handler, rounds int, q question) (Throughput, error) {
	ourAddress, stop, err := listenAsProgram(ctx, ours)
	if err != nil {
		return Throughput{}, err
	}
	defer stop()
	plain := httptest.NewUnstartedServer(bare)
	plain.Config.ReadHeaderTimeout, plain.Config.ReadTimeout = timeouts.Header, timeouts.Read
	plain.Config.WriteTimeout, plain.Config.IdleTimeout = timeouts.Write, timeouts.Idle
	plain.Start()
	defer plain.Close()

	sides := [2]string{ourAddress, plain.Listener.Addr().String()}
	var samples [2]samples
	for round := range rounds + 1 {
		for i := range sides {
			side := (i + round) % 2 // whoever is first finds another heap
			got, err := askFor(sides[side], q)
			if err != nil {
				return Throughput{}, fmt.Errorf("%s: %w", q.name, err)
			}
			if q.between != nil {
				if err := q.between(); err != nil {
					return Throughput{}, err
				}
			}
			if round > 0 { // connections and buffers grow in the first one
				samples[side].add(got)
			}
		}
	}
	return throughput(samples[0], samples[1]), nil
}

// sample is one server's part of a round, in answers per second.
type sample struct {
	rate, processorRate float64
}

// samples are the parts of one server in all rounds.
type samples struct {
	rates, processorRates []float64
}

func (s *samples) add(one sample) {
	s.rates = append(s.rates, one.rate)
	s.processorRates = append(s.processorRates, one.processorRate)
}

func throughput(ours, bare samples) Throughput {
	var ratios, processorRatios []float64
	for i := range ours.rates {
		ratios = append(ratios, ours.rates[i]/bare.rates[i])
		processorRatios = append(processorRatios, ours.processorRates[i]/bare.processorRates[i])
	}
	return Throughput{
		Rate: median(ours.rates), Bare: median(bare.rates),
		Ratio: median(ratios), ProcessorRatio: median(processorRatios),
	}
}

// listenAsProgram serves handler by the program's server.
func listenAsProgram(ctx context.Context, handler http.Handler) (address string, stop func(), err error) {
	server := httpserver.New(httpserver.Config{Name: "clients", Addr: "127.0.0.1:0", Handler: handler, Timeouts: timeouts})
	if err := server.Listen(ctx); err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var running errgroup.Group
	running.Go(func() error { return server.Run(ctx) })
	return server.Addr().String(), func() { cancel(); _ = running.Wait() }, nil
}

// askFor asks a server for a span, after a first answer on each connection.
func askFor(address string, q question) (sample, error) {
	wires := make([]*wire, q.connections)
	for i := range wires {
		w, err := q.dial(address)
		if err != nil {
			return sample{}, err
		}
		defer w.close()
		if err := w.ask(); err != nil {
			return sample{}, err
		}
		wires[i] = w
	}
	used, err := processorTime()
	if err != nil {
		return sample{}, err
	}
	began := time.Now()
	answers, err := askAll(wires, began.Add(q.span))
	elapsed := time.Since(began)
	if err != nil {
		return sample{}, err
	}
	if q.settle != nil {
		q.settle()
	}
	usedThen, err := processorTime()
	return sample{answers / elapsed.Seconds(), answers / (usedThen - used).Seconds()}, err
}

// askAll asks on all wires at once until the deadline and counts the answers.
func askAll(wires []*wire, deadline time.Time) (answers float64, err error) {
	counts := make([]int, len(wires))
	var asking errgroup.Group
	for i, w := range wires {
		asking.Go(func() (err error) {
			counts[i], err = w.askUntil(deadline)
			return err
		})
	}
	err = asking.Wait()
	for _, n := range counts {
		answers += float64(n)
	}
	return answers, err
}

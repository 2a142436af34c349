package figure

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/eurekube/eurekube/bench/fleet"
	"github.com/eurekube/eurekube/bench/program"
	"github.com/eurekube/eurekube/convertor"
)

// Streams is how many clients fare that each follow the stream of all events.
type Streams struct {
	// Told is from a pod's Ready event, as it is handed to the watch, until a client
	// has read the event to its end: Max is when the last one of all has.
	Told Latency
	// PerChange is the processor time of the program for each change, the pings that
	// fall into its time included.
	PerChange time.Duration
	// Memory is that of the program with all streams open, PerStream by how much it
	// grew for each.
	Memory    program.Memory
	PerStream int64
}

// openAtOnce is how many streams are opened at a time.
const openAtOnce = 64

// toldWithin bounds the wait for an event that does not come.
const toldWithin = time.Minute

// MeasureStreams opens streams over loopback and turns changes pods ready among
// pods, one after the other. Each stream has a connection of its own, as clients
// have that are processes of their own.
func MeasureStreams(ctx context.Context, binary string, pods, streams, changes int) (Streams, error) {
	c, err := startCluster(ctx, binary, pods, changes)
	if err != nil {
		return Streams{}, err
	}
	defer c.close()
	if _, err := c.ready(ctx); err != nil {
		return Streams{}, err
	}
	before, err := c.Memory()
	if err != nil {
		return Streams{}, err
	}
	a, err := openAudience(ctx, c.API, streams)
	if err != nil {
		return Streams{}, err
	}
	defer a.close()
	memory, err := c.Memory()
	if err != nil {
		return Streams{}, err
	}
	got := Streams{Memory: memory, PerStream: (memory.Now - before.Now) / int64(streams)}
	used, err := c.ProcessorTime()
	if err != nil {
		return Streams{}, err
	}
	var told []time.Duration
	for range changes {
		took, err := a.change(ctx, c)
		if err != nil {
			return Streams{}, err
		}
		told = append(told, took...)
	}
	usedThen, err := c.ProcessorTime()
	if err != nil {
		return Streams{}, err
	}
	got.Told, got.PerChange = latencyOf(told), (usedThen-used)/time.Duration(changes)
	return got, nil
}

// audience is all who listen.
type audience struct {
	listeners []*listener
	running   errgroup.Group
}

// openAudience returns when each stream has had its first event.
func openAudience(ctx context.Context, url string, streams int) (*audience, error) {
	a := &audience{listeners: make([]*listener, streams)}
	var opening errgroup.Group
	opening.SetLimit(openAtOnce)
	for i := range a.listeners {
		opening.Go(func() (err error) {
			a.listeners[i], err = openListener(ctx, strings.TrimPrefix(url, "http://"))
			return err
		})
	}
	err := opening.Wait()
	for _, l := range a.listeners {
		if l != nil {
			a.running.Go(l.listen)
		}
	}
	if err != nil {
		a.close()
		return nil, fmt.Errorf("open %d streams: %w", streams, err)
	}
	return a, nil
}

// change turns a spare pod ready and returns after what time each has heard of it.
func (a *audience) change(ctx context.Context, c *cluster) ([]time.Duration, error) {
	pod := fleet.WithReady(c.spare[0], true, time.Now())
	c.spare = c.spare[1:]
	inst, _, err := convertor.Convert(pod, rules)
	if err != nil {
		return nil, fmt.Errorf("convert pod %s: %w", pod.Name, err)
	}
	ctx, cancel := context.WithTimeout(ctx, toldWithin)
	defer cancel()
	began := time.Now()
	c.server.Set(pod)
	took := make([]time.Duration, len(a.listeners))
	for i, l := range a.listeners {
		at, err := l.await(ctx, inst.ID)
		if err != nil {
			return nil, fmt.Errorf("stream %d: %w", i, err)
		}
		took[i] = at.Sub(began)
	}
	return took, nil
}

// close ends all streams.
func (a *audience) close() {
	for _, l := range a.listeners {
		if l != nil {
			_ = l.conn.(*net.TCPConn).SetLinger(0) // thousands of ports are not to wait for their end
			_ = l.conn.Close()
		}
	}
	_ = a.running.Wait() // that their streams ended is what was wanted
}

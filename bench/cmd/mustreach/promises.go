package main

import (
	"context"
	"fmt"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
	"github.com/eurekube/eurekube/bench/program"
	"github.com/eurekube/eurekube/eureka/codec"
)

// The size and the limits that the project promises.
const (
	pods            = 10_000
	startWithin     = 5 * time.Second
	residentLimit   = 128 << 20
	freshWithin     = 100 * time.Millisecond
	answerWithin    = 100 * time.Millisecond
	readRatio       = 0.9
	changeRatio     = 2.0
	gzipRatio       = 1.1
	pollingClients  = 200
	pollingDuration = time.Minute
)

// How long is measured: enough for a 99th percentile that more than a few samples
// decide, and for medians that do not move much from run to run.
const (
	freshDuration = time.Minute
	readRounds    = 41
	changes       = 1000
)

// promises measure in the order of the table. Each takes the path of the program.
var promises = []func(ctx context.Context, binary string) ([]line, error){start, freshness, reads, change, gzipSize, polling,
	told, known, heartbeats, registrations, interference, leaseSize, sweep, probes}

func start(ctx context.Context, binary string) ([]line, error) {
	got, err := figure.MeasureStart(ctx, binary, pods)
	if err != nil {
		return nil, err
	}
	return []line{
		atMost("start until all pods are served", got.Served, startWithin).noted("ready after %s", rounded(got.Ready)),
		resident("resident after the start", got.AfterStart),
		resident("resident after all forms were read", got.AfterReads),
	}, nil
}

func resident(what string, got program.Memory) line {
	return line{what, fmt.Sprintf("< %d MiB", residentLimit>>20), fmt.Sprintf("%d MiB (peak %d MiB)", got.Now>>20, got.Peak>>20), got.Now < residentLimit}
}

func freshness(ctx context.Context, binary string) ([]line, error) {
	got, err := figure.MeasureFreshness(ctx, binary, pods, freshDuration)
	if err != nil {
		return nil, err
	}
	p99 := func(what string, l figure.Latency) line {
		return atMost("ready until served, "+what+", p99", l.P99, freshWithin).noted("p50 %s, max %s", rounded(l.P50), rounded(l.Max))
	}
	full := p99("full gzip", got.Full)
	return []line{p99("delta plain", got.Delta), full.noted("%.2f cores; the load was late by %s", got.Processor.Seconds(), rounded(got.Late))}, nil
}

func reads(ctx context.Context, _ string) ([]line, error) {
	var lines []line
	for _, read := range figure.Reads {
		got, err := figure.MeasureRead(ctx, pods, readRounds, read)
		if err != nil {
			return nil, err
		}
		lines = append(lines, ratioAtLeast("read beside a bare handler, "+read.Name, got.Ratio, readRatio).
			noted("%.2f by processor time; %.0f/s", got.ProcessorRatio, got.Rate))
	}
	return lines, nil
}

func change(ctx context.Context, _ string) ([]line, error) {
	small, err := figure.MeasureChange(ctx, 1_000, changes)
	if err != nil {
		return nil, err
	}
	large, err := figure.MeasureChange(ctx, 50_000, changes)
	if err != nil {
		return nil, err
	}
	ratio := float64(large.PerChange) / float64(small.PerChange)
	return []line{ratioAtMost("processor time per change, 50,000 to 1,000", ratio, changeRatio).
		noted("%s, %s", rounded(large.PerChange), rounded(small.PerChange))}, nil
}

func gzipSize(ctx context.Context, _ string) ([]line, error) {
	var lines []line
	for _, form := range []codec.Form{codec.JSON, codec.XML} {
		got, err := figure.MeasureGzip(ctx, pods, form)
		if err != nil {
			return nil, err
		}
		lines = append(lines, ratioAtMost(fmt.Sprintf("gzip body to one level-6 stream, %v", form), got.Ratio(), gzipRatio).
			noted("%d KiB of %d KiB", got.Body>>10, got.Text>>10))
	}
	return lines, nil
}

func polling(ctx context.Context, binary string) ([]line, error) {
	got, err := figure.MeasurePolling(ctx, binary, pods, pollingClients, pollingDuration)
	if err != nil {
		return nil, err
	}
	errors := line{fmt.Sprintf("%d polling clients, errors", pollingClients), "0", fmt.Sprint(got.Errors), got.Errors == 0}
	if got.FirstError != nil {
		errors = errors.noted("%v", got.FirstError)
	}
	return []line{
		errors,
		atMost(fmt.Sprintf("%d polling clients, p99", pollingClients), got.Latency.P99, answerWithin).
			noted("p50 %s, max %s, %.2f cores; the load was late by %s", rounded(got.Latency.P50), rounded(got.Latency.Max), got.Processor.Seconds(), rounded(got.Late)),
		resident("resident while they poll", got.Memory),
	}, nil
}

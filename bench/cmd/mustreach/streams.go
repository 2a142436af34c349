package main

import (
	"context"
	"fmt"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

// What is promised of streams, and how many changes are measured.
const (
	streams       = 10_000
	toldWithin    = time.Second
	streamChanges = 30
	knownWithin   = 150 * time.Millisecond
)

func told(ctx context.Context, binary string) ([]line, error) {
	got, err := figure.MeasureStreams(ctx, binary, pods, streams, streamChanges)
	if err != nil {
		return nil, err
	}
	return []line{atMost(fmt.Sprintf("%d streams, a change reaches the last", streams), got.Told.Max, toldWithin).
		noted("p50 %s, p99 %s; %s of processor time a change, %d KiB a stream, resident %d MiB",
			rounded(got.Told.P50), rounded(got.Told.P99), rounded(got.PerChange), got.PerStream>>10, got.Memory.Now>>20)}, nil
}

func known(ctx context.Context, binary string) ([]line, error) {
	got, err := figure.MeasureGoClient(ctx, binary, pods, freshDuration)
	if err != nil {
		return nil, err
	}
	return []line{atMost("ready until a streaming Go client knows, p99", got.Known.P99, knownWithin).
		noted("p50 %s, max %s; the load was late by %s", rounded(got.Known.P50), rounded(got.Known.Max), rounded(got.Late))}, nil
}

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

// What is promised of services of the callback registry.
const (
	callbackServices = 1_000
	probeCores       = 0.1
	probeSpan        = 30 * time.Second
)

func probes(ctx context.Context, binary string) ([]line, error) {
	got, err := figure.MeasureProbes(ctx, binary, callbackServices, probeSpan)
	if err != nil {
		return nil, err
	}
	l := line{fmt.Sprintf("probes of %d callback services", callbackServices), fmt.Sprintf("< %.2f cores", probeCores), fmt.Sprintf("%.3f cores", got.Cores), got.Cores < probeCores}
	return []line{l.noted("%.0f probes/s, %d KiB a service", got.PerSecond, got.PerService>>10)}, nil
}

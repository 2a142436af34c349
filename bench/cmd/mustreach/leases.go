package main

import (
	"context"
	"fmt"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

// What is promised of instances that register themselves.
const (
	leases          = 10_000
	heartbeatRatio  = 0.8
	registerRatio   = 0.4
	registerRate    = 20_000 // a second, where the ratio is missed
	unchanged       = 1.25   // a 99th percentile varies that much from round to round
	beyondEncoded   = 4 << 10
	sweptLeases     = 100_000
	sweepCores      = 0.2
	registerRounds  = 9
	heartbeatRounds = 41
)

func heartbeats(ctx context.Context, _ string) ([]line, error) {
	got, err := figure.MeasureWrite(ctx, heartbeatRounds, figure.Heartbeat(leases))
	if err != nil {
		return nil, err
	}
	return []line{besideBare(ratioAtLeast("write beside a bare handler, heartbeat", got.Ratio, heartbeatRatio), got)}, nil
}

func registrations(ctx context.Context, _ string) ([]line, error) {
	var lines []line
	for _, write := range figure.Registrations(leases) {
		got, err := figure.MeasureWrite(ctx, registerRounds, write)
		if err != nil {
			return nil, err
		}
		lines = append(lines, besideBare(registered("write beside a bare handler, "+write.Name, got), got))
	}
	return lines, nil
}

// besideBare notes the rest of what was measured.
func besideBare(l line, got figure.Throughput) line {
	return l.noted("%.2f by processor time; %.0f/s of %.0f/s", got.ProcessorRatio, got.Rate, got.Bare)
}

// registered promises one of two figures: the rate is what matters, and on a
// small or busy machine only the ratio can tell.
func registered(what string, got figure.Throughput) line {
	l := ratioAtLeast(what, got.Ratio, registerRatio)
	l.wanted += fmt.Sprintf(" or %d/s", registerRate)
	l.reached = l.reached || got.Rate >= registerRate
	return l
}

func interference(ctx context.Context, binary string) ([]line, error) {
	got, err := figure.MeasureInterference(ctx, binary, leases, 9, 3*time.Second)
	if err != nil {
		return nil, err
	}
	return []line{ratioAtMost("reads beside 5,000 heartbeats/s, p99 to alone", got.Ratio, unchanged).
		noted("%s, %s; %.2f to beside as many at another server, %s; %.0f heartbeats/s",
			rounded(got.Busy.P99), rounded(got.Quiet.P99), got.Inside, rounded(got.Elsewhere.P99), got.Heartbeats)}, nil
}

func leaseSize(ctx context.Context, _ string) ([]line, error) {
	got, err := figure.MeasureLeaseSize(ctx, leases)
	if err != nil {
		return nil, err
	}
	return []line{{"memory of a lease beyond its JSON", fmt.Sprintf("< %d B", beyondEncoded),
		fmt.Sprintf("%d B (of JSON %d B)", got.Beyond(), got.Encoded), got.Beyond() < beyondEncoded}}, nil
}

func sweep(ctx context.Context, _ string) ([]line, error) {
	cores, err := figure.MeasureSweep(ctx, sweptLeases, 10*time.Second)
	if err != nil {
		return nil, err
	}
	return []line{{"sweep of 100,000 leases", fmt.Sprintf("< %.2f cores", sweepCores), fmt.Sprintf("%.2f cores", cores), cores < sweepCores}}, nil
}

package figure_test

import (
	"testing"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

func BenchmarkInterference(b *testing.B) {
	path := binary(b)
	b.Run("leases=10000", func(b *testing.B) {
		var got figure.Interference
		for b.Loop() {
			var err error
			if got, err = figure.MeasureInterference(quiet(b), path, 10_000, 9, 2*time.Second); err != nil {
				b.Fatal(err)
			}
		}
		report(b, "quiet", got.Quiet)
		report(b, "busy", got.Busy)
		report(b, "elsewhere", got.Elsewhere)
		b.ReportMetric(got.Ratio, "p99-ratio")
		b.ReportMetric(got.Inside, "p99-ratio-inside")
		b.ReportMetric(got.Heartbeats, "heartbeats/s")
		b.ReportMetric(0, "ns/op")
	})
}

func TestMeasureInterference(t *testing.T) {
	got, err := figure.MeasureInterference(quiet(t), binary(t), small, 1, 200*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if got.Quiet.Samples < 10 || got.Busy.Samples < 10 || got.Elsewhere.Samples < 10 || got.Ratio <= 0 || got.Inside <= 0 || got.Heartbeats <= 0 {
		t.Errorf("MeasureInterference = %+v, want reads without, with and beside heartbeats elsewhere", got)
	}
}

package figure_test

import (
	"testing"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

func BenchmarkSweep(b *testing.B) {
	b.Run("leases=100000", func(b *testing.B) {
		var cores float64
		for b.Loop() {
			var err error
			if cores, err = figure.MeasureSweep(quiet(b), 100_000, 10*time.Second); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(cores, "cores")
		b.ReportMetric(0, "ns/op")
	})
}

func TestMeasureSweep(t *testing.T) {
	cores, err := figure.MeasureSweep(quiet(t), small, 1100*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if cores <= 0 || cores >= 2 {
		t.Errorf("MeasureSweep = %v, want a share of one core", cores)
	}
}

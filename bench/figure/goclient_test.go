package figure_test

import (
	"testing"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

func BenchmarkGoClient(b *testing.B) {
	path := binary(b)
	b.Run("pods=10000", func(b *testing.B) {
		var got figure.GoClient
		for b.Loop() {
			var err error
			if got, err = figure.MeasureGoClient(quiet(b), path, 10_000, 30*time.Second); err != nil {
				b.Fatal(err)
			}
		}
		report(b, "known", got.Known)
		b.ReportMetric(float64(got.Late)/float64(time.Millisecond), "load-late-ms")
		b.ReportMetric(0, "ns/op")
	})
}

func TestMeasureGoClient(t *testing.T) {
	got, err := figure.MeasureGoClient(quiet(t), binary(t), small, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if got.Known.Samples < 20 || got.Known.P50 <= 0 || got.Known.P99 < got.Known.P50 {
		t.Errorf("MeasureGoClient = %+v, want 20 samples and more, in order", got)
	}
}

package figure_test

import (
	"testing"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

func writes(leases int) []figure.Write {
	return append(figure.Registrations(leases), figure.Heartbeat(leases))
}

func BenchmarkWrite(b *testing.B) {
	for _, write := range writes(10_000) {
		b.Run(write.Name+"/leases=10000", func(b *testing.B) {
			var got figure.Throughput
			for b.Loop() {
				var err error
				if got, err = figure.MeasureWrite(quiet(b), 11, write); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(got.Ratio, "ratio")
			b.ReportMetric(got.ProcessorRatio, "cpu-ratio")
			b.ReportMetric(got.Rate, "writes/s")
			b.ReportMetric(got.Bare, "bare-writes/s")
			b.ReportMetric(0, "ns/op") // a fixed number of rounds says nothing by its length
		})
	}
}

func TestMeasureWrite(t *testing.T) {
	for _, write := range writes(small) {
		t.Run(write.Name, func(t *testing.T) {
			write.Span = 50 * time.Millisecond
			got, err := figure.MeasureWrite(quiet(t), 1, write)
			if err != nil {
				t.Fatal(err)
			}
			if got.Rate <= 0 || got.Bare <= 0 || got.Ratio <= 0 || got.ProcessorRatio <= 0 {
				t.Errorf("MeasureWrite = %+v, want every figure above zero", got)
			}
		})
	}
}

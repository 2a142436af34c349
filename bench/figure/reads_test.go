package figure_test

import (
	"testing"

	"github.com/eurekube/eurekube/bench/figure"
)

func BenchmarkRead(b *testing.B) {
	for _, read := range figure.Reads {
		b.Run(read.Name+"/pods=10000", func(b *testing.B) {
			var got figure.Throughput
			for b.Loop() {
				var err error
				if got, err = figure.MeasureRead(quiet(b), 10_000, 41, read); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(got.Ratio, "ratio")
			b.ReportMetric(got.ProcessorRatio, "cpu-ratio")
			b.ReportMetric(got.Rate, "reads/s")
			b.ReportMetric(got.Bare, "bare-reads/s")
			b.ReportMetric(float64(got.Body), "body-bytes")
			b.ReportMetric(0, "ns/op") // a fixed number of rounds says nothing by its length
		})
	}
}

func TestMeasureRead(t *testing.T) {
	for _, read := range figure.Reads {
		t.Run(read.Name, func(t *testing.T) {
			got, err := figure.MeasureRead(quiet(t), small, 1, read)
			if err != nil {
				t.Fatal(err)
			}
			if got.Rate <= 0 || got.Bare <= 0 || got.Ratio <= 0 || got.Body == 0 {
				t.Errorf("MeasureRead = %+v, want every figure above zero", got)
			}
		})
	}
}

package figure_test

import (
	"testing"

	"github.com/eurekube/eurekube/bench/figure"
)

func BenchmarkLeaseSize(b *testing.B) {
	b.Run("leases=10000", func(b *testing.B) {
		var got figure.LeaseSize
		for b.Loop() {
			var err error
			if got, err = figure.MeasureLeaseSize(quiet(b), 10_000); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(got.Heap), "heap-bytes")
		b.ReportMetric(float64(got.Encoded), "json-bytes")
		b.ReportMetric(0, "ns/op")
	})
}

func TestMeasureLeaseSize(t *testing.T) {
	got, err := figure.MeasureLeaseSize(quiet(t), 10*small)
	if err != nil {
		t.Fatal(err)
	}
	if got.Encoded < 500 || got.Heap <= got.Encoded {
		t.Errorf("MeasureLeaseSize = %+v, want the JSON of an instance and more", got)
	}
}

package figure_test

import (
	"fmt"
	"testing"

	"github.com/eurekube/eurekube/bench/figure"
)

func BenchmarkChange(b *testing.B) {
	for _, instances := range []int{1_000, 10_000, 50_000} {
		b.Run(fmt.Sprintf("instances=%d", instances), func(b *testing.B) {
			var got figure.ChangeCost
			for b.Loop() {
				var err error
				if got, err = figure.MeasureChange(quiet(b), instances, 1000); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(got.PerChange.Microseconds()), "cpu-µs/change")
			report(b, "publish", got.Published)
			b.ReportMetric(float64(got.Delta), "delta-bytes")
			b.ReportMetric(0, "ns/op") // a fixed number of changes says nothing by its length
		})
	}
}

func TestMeasureChange(t *testing.T) {
	got, err := figure.MeasureChange(quiet(t), small, 100)
	if err != nil {
		t.Fatal(err)
	}
	if got.PerChange <= 0 || got.Delta == 0 {
		t.Errorf("MeasureChange = %+v, want every figure above zero", got)
	}
}

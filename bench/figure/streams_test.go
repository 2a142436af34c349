package figure_test

import (
	"testing"

	"github.com/eurekube/eurekube/bench/figure"
)

func BenchmarkStreams(b *testing.B) {
	path := binary(b)
	b.Run("streams=10000/pods=10000", func(b *testing.B) {
		var got figure.Streams
		for b.Loop() {
			var err error
			if got, err = figure.MeasureStreams(quiet(b), path, 10_000, 10_000, 20); err != nil {
				b.Fatal(err)
			}
		}
		report(b, "told", got.Told)
		b.ReportMetric(got.PerChange.Seconds(), "cpu-s/change")
		b.ReportMetric(float64(got.PerStream)/1024, "KiB/stream")
		b.ReportMetric(0, "ns/op")
	})
}

func TestMeasureStreams(t *testing.T) {
	const streams, changes = 100, 3
	got, err := figure.MeasureStreams(quiet(t), binary(t), small, streams, changes)
	if err != nil {
		t.Fatal(err)
	}
	if got.Told.Samples != streams*changes || got.Told.P50 <= 0 || got.Memory.Now == 0 {
		t.Errorf("MeasureStreams = %+v, want each stream to be told of each change", got)
	}
}

package figure_test

import (
	"testing"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

func BenchmarkPolling(b *testing.B) {
	path := binary(b)
	b.Run("clients=200/pods=10000", func(b *testing.B) {
		var got figure.Polling
		for b.Loop() {
			var err error
			if got, err = figure.MeasurePolling(quiet(b), path, 10_000, 200, time.Minute); err != nil {
				b.Fatal(err)
			}
		}
		report(b, "delta-gzip", got.Latency)
		b.ReportMetric(float64(got.Errors), "errors")
		b.ReportMetric(got.Processor.Seconds(), "cpu-s/s")
		b.ReportMetric(0, "ns/op")
	})
}

// Field case 101 at the size of a test; the benchmark has the size of the case.
func TestFieldCase101_NoPollingClientMeetsAnError(t *testing.T) {
	got, err := figure.MeasurePolling(quiet(t), binary(t), small, 20, 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if got.Errors != 0 {
		t.Errorf("%d of the requests failed, the first because of %v", got.Errors, got.FirstError)
	}
	if got.Latency.Samples == 0 {
		t.Error("no request was answered")
	}
}

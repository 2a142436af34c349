package figure_test

import (
	"context"
	"testing"

	"github.com/eurekube/eurekube/bench/figure"
)

// starts are the two sources of pods.
var starts = []struct {
	name    string
	measure func(ctx context.Context, binary string, pods int) (figure.Start, error)
}{
	{"api-server", figure.MeasureStart},
	{"manifests", figure.MeasureManifestStart},
}

func BenchmarkStart(b *testing.B) {
	path := binary(b)
	for _, start := range starts {
		b.Run(start.name+"/pods=10000", func(b *testing.B) {
			var got figure.Start
			for b.Loop() {
				var err error
				if got, err = start.measure(quiet(b), path, 10_000); err != nil {
					b.Fatal(err)
				}
			}
			const mebibyte = 1 << 20
			b.ReportMetric(got.Ready.Seconds(), "ready-s")
			b.ReportMetric(got.Served.Seconds(), "served-s")
			b.ReportMetric(float64(got.AfterStart.Now)/mebibyte, "start-rss-MiB")
			b.ReportMetric(float64(got.AfterStart.Peak)/mebibyte, "start-peak-MiB")
			b.ReportMetric(float64(got.AfterReads.Now)/mebibyte, "reads-rss-MiB")
			b.ReportMetric(float64(got.AfterReads.Peak)/mebibyte, "reads-peak-MiB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func TestMeasureStart(t *testing.T) {
	for _, start := range starts {
		t.Run(start.name, func(t *testing.T) {
			got, err := start.measure(quiet(t), binary(t), small)
			if err != nil {
				t.Fatal(err)
			}
			if got.Ready <= 0 || got.Served < got.Ready || got.AfterReads.Peak < got.AfterStart.Peak {
				t.Errorf("Start = %+v, want served after ready, and a peak that does not fall", got)
			}
		})
	}
}

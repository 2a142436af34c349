package figure_test

import (
	"testing"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
)

func BenchmarkProbes(b *testing.B) {
	path := binary(b)
	b.Run("services=1000", func(b *testing.B) {
		var got figure.Probes
		for b.Loop() {
			var err error
			if got, err = figure.MeasureProbes(quiet(b), path, 1_000, 30*time.Second); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(got.Cores, "cpu-s/s")
		b.ReportMetric(got.PerSecond, "probes/s")
		b.ReportMetric(float64(got.PerService)/1024, "KiB/service")
		b.ReportMetric(0, "ns/op")
	})
}

func TestMeasureProbes(t *testing.T) {
	const services = 30
	got, err := figure.MeasureProbes(quiet(t), binary(t), services, 3*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if got.PerSecond <= 0 || got.Cores < 0 || got.Memory.Now == 0 {
		t.Errorf("MeasureProbes = %+v, want probes and what they cost", got)
	}
}

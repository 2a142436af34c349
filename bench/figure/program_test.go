package figure_test

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/eurekube/eurekube/bench/figure"
	"github.com/eurekube/eurekube/bench/program"
)

// built holds the program for all tests, built when the first one asks.
var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir) //nolint:errcheck // a temporary directory
	}
	os.Exit(code)
}

// binary is the path of the program.
func binary(tb testing.TB) string {
	tb.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "eurekube-bench-"); built.err == nil {
			built.path, built.err = program.Build(quiet(tb), built.dir)
		}
	})
	if built.err != nil {
		tb.Fatal(built.err)
	}
	return built.path
}

func BenchmarkFreshness(b *testing.B) {
	path := binary(b)
	for _, pods := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("pods=%d", pods), func(b *testing.B) {
			var got figure.Freshness
			for b.Loop() {
				var err error
				if got, err = figure.MeasureFreshness(quiet(b), path, pods, 30*time.Second); err != nil {
					b.Fatal(err)
				}
			}
			report(b, "delta", got.Delta)
			report(b, "full-gzip", got.Full)
			b.ReportMetric(got.Processor.Seconds(), "cpu-s/s")
			b.ReportMetric(float64(got.Late)/float64(time.Millisecond), "load-late-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// report shows a latency in milliseconds.
func report(b *testing.B, name string, l figure.Latency) {
	const millisecond = float64(time.Millisecond)
	b.ReportMetric(float64(l.P50)/millisecond, name+"-p50-ms")
	b.ReportMetric(float64(l.P99)/millisecond, name+"-p99-ms")
	b.ReportMetric(float64(l.Max)/millisecond, name+"-max-ms")
}

func TestMeasureFreshness(t *testing.T) {
	got, err := figure.MeasureFreshness(quiet(t), binary(t), small, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if got.Delta.Samples < 20 || got.Delta.P50 <= 0 || got.Full.P99 < got.Full.P50 {
		t.Errorf("MeasureFreshness = %+v, want 20 samples and more, in order", got)
	}
}

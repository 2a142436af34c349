package reference

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"
)

func TestFlags(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	flags.String("unready", "omit", "omit|down: what becomes of `pods`\nthat are not ready")
	flags.String("manifests", "", "a directory, as <dir>")
	flags.Bool("secret", false, "not shown")
	if err := flags.MarkHidden("secret"); err != nil {
		t.Fatal(err)
	}
	want := "| flag | variable | default | meaning |\n|---|---|---|---|\n" +
		"| `--unready` | `X_UNREADY` | `omit` | omit\\|down: what becomes of pods that are not ready |\n" +
		"| `--manifests` | `X_MANIFESTS` |  | a directory, as &lt;dir> |\n"
	var got strings.Builder
	if err := Flags(&got, flags, func(flag string) string { return "X_" + strings.ToUpper(flag) }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("Flags() (-want +got):\n%s", diff)
	}
}

func TestMetrics(t *testing.T) {
	var collectors Collectors
	forgotten := prometheus.NewGauge(prometheus.GaugeOpts{Name: "forgotten", Help: "No."})
	collectors.MustRegister(
		prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "request_seconds", Help: "How long."}, []string{"route", "code"}),
		prometheus.NewCounterVec(prometheus.CounterOpts{Name: "changes_total", Help: `All, "really".`}, []string{"app"}),
		prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "instances", Help: "Listed."}, []string{"status"}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "age_seconds", Help: "How old."}, func() float64 { return 1 }),
		prometheus.NewHistogram(prometheus.HistogramOpts{Name: "publish_seconds", Help: "How long."}),
		prometheus.NewSummary(prometheus.SummaryOpts{Name: "size_bytes", Help: "How big."}),
		forgotten,
	)
	if !collectors.Unregister(forgotten) || collectors.Unregister(forgotten) {
		t.Error("Unregister() does not forget a collector exactly once")
	}
	want := "| metric | type | labels | meaning |\n|---|---|---|---|\n" +
		"| `age_seconds` | gauge |  | How old. |\n" +
		"| `changes_total` | counter | `app` | All, \"really\". |\n" +
		"| `instances` | gauge | `status` | Listed. |\n" +
		"| `publish_seconds` | histogram |  | How long. |\n" +
		"| `request_seconds` | histogram | `route`, `code` | How long. |\n" +
		"| `size_bytes` | summary |  | How big. |\n"
	var got strings.Builder
	if err := Metrics(&got, &collectors); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("Metrics() (-want +got):\n%s", diff)
	}
}

// silent describes a metric and has no value of it.
type silent struct{}

func (silent) Describe(descs chan<- *prometheus.Desc) {
	descs <- prometheus.NewDesc("silent", "Nothing.", nil, nil)
}
func (silent) Collect(chan<- prometheus.Metric) {}

func TestMetrics_UnknownType(t *testing.T) {
	var collectors Collectors
	collectors.MustRegister(silent{})
	if err := Metrics(new(strings.Builder), &collectors); err == nil || !strings.Contains(err.Error(), "metric silent") {
		t.Errorf("Metrics() = %v, want an error that names the metric", err)
	}
}

func TestCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flags.md")
	const fix = "make update-docs"
	if err := Check(path, []byte("new"), false, fix); err == nil || !strings.Contains(err.Error(), fix) {
		t.Errorf("Check() without a file = %v, want an error that names the command", err)
	}
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Check(path, []byte("new"), false, fix); err == nil || !strings.Contains(err.Error(), fix) {
		t.Errorf("Check() of a stale file = %v, want an error that names the command", err)
	}
	if err := Check(path, []byte("new"), true, fix); err != nil {
		t.Fatal(err)
	}
	if err := Check(path, []byte("new"), false, fix); err != nil {
		t.Errorf("Check() after an update = %v, want nil", err)
	}
}

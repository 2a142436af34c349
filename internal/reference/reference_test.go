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
	forgotten := prometheus.NewGauge(prometheus.GaugeOpts{Name: "test_forgotten", Help: "No."})
	collectors.MustRegister(
		prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "test_request_seconds", Help: "How long."}, []string{"route", "code"}),
		prometheus.NewCounterVec(prometheus.CounterOpts{Name: "test_changes_total", Help: `All, "really".`}, []string{"app"}),
		prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "test_instances", Help: "Listed."}, []string{"status"}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "test_age_seconds", Help: "How old."}, func() float64 { return 1 }),
		prometheus.NewHistogram(prometheus.HistogramOpts{Name: "test_publish_seconds", Help: "How long."}),
		prometheus.NewSummary(prometheus.SummaryOpts{Name: "test_size_bytes", Help: "How big."}),
		idle{},
		forgotten,
		prometheus.NewGauge(prometheus.GaugeOpts{Name: "go_other", Help: "Of another prefix."}),
	)
	if !collectors.Unregister(forgotten) || collectors.Unregister(forgotten) {
		t.Error("Unregister() does not forget a collector exactly once")
	}
	want := "| metric | type | labels | meaning |\n|---|---|---|---|\n" +
		"| `test_age_seconds` | gauge |  | How old. |\n" +
		"| `test_changes_total` | counter | `app` | All, \"really\". |\n" +
		"| `test_idle_total` | counter |  | Nothing. |\n" +
		"| `test_idle` | gauge | `app` | Nothing. |\n" +
		"| `test_instances` | gauge | `status` | Listed. |\n" +
		"| `test_publish_seconds` | histogram |  | How long. |\n" +
		"| `test_request_seconds` | histogram | `route`, `code` | How long. |\n" +
		"| `test_size_bytes` | summary |  | How big. |\n"
	var got strings.Builder
	if err := Metrics(&got, &collectors, "test_"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("Metrics() (-want +got):\n%s", diff)
	}
}

// idle describes a gauge and a counter and has no value of them.
type idle struct{}

func (idle) Describe(descs chan<- *prometheus.Desc) {
	descs <- prometheus.NewDesc("test_idle", "Nothing.", []string{"app"}, nil)
	descs <- prometheus.NewDesc("test_idle_total", "Nothing.", nil, nil)
}
func (idle) Collect(chan<- prometheus.Metric) {}

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

package reference

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// Collectors remembers what is registered with it. It is a
// prometheus.Registerer, so that every constructor of the program can be given
// it in place of a registry. It is for one goroutine.
type Collectors struct {
	registered []prometheus.Collector
}

// Register remembers the collector. It never returns an error: a real registry
// is where conflicts are found.
func (c *Collectors) Register(collector prometheus.Collector) error {
	c.registered = append(c.registered, collector)
	return nil
}

// MustRegister remembers the collectors.
func (c *Collectors) MustRegister(collectors ...prometheus.Collector) {
	c.registered = append(c.registered, collectors...)
}

// Unregister forgets the collector and reports whether it was known.
func (c *Collectors) Unregister(collector prometheus.Collector) bool {
	before := len(c.registered)
	c.registered = slices.DeleteFunc(c.registered, func(known prometheus.Collector) bool { return known == collector })
	return len(c.registered) < before
}

// Metrics writes one table row for each metric that the collectors describe and
// whose name begins with prefix, sorted by name. Vectors that have no child yet
// are included. A collector of our own that has nothing to show yet is known by
// its name: Prometheus keeps _total for counters.
func Metrics(w io.Writer, collectors *Collectors, prefix string) error {
	var rows []string
	for _, collector := range collectors.registered {
		kinds := collectedKinds(collector)
		for _, desc := range described(collector) {
			m, err := parseDesc(desc.String())
			if err != nil {
				return err
			}
			if !strings.HasPrefix(m.name, prefix) {
				continue
			}
			kind, ok := kinds[desc.String()]
			if !ok {
				kind = kindOfIdle(collector, m.name)
			}
			rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |\n", m.name, kind, m.labels, cell(m.help)))
		}
	}
	slices.Sort(rows)
	_, err := io.WriteString(w, "| metric | type | labels | meaning |\n|---|---|---|---|\n"+strings.Join(rows, ""))
	return err
}

func described(collector prometheus.Collector) []*prometheus.Desc {
	descs := make(chan *prometheus.Desc)
	go func() {
		defer close(descs)
		collector.Describe(descs)
	}()
	var all []*prometheus.Desc
	for desc := range descs {
		all = append(all, desc)
	}
	return all
}

// collectedKinds maps the text of each descriptor that has a value now to the
// type of that value.
func collectedKinds(collector prometheus.Collector) map[string]string {
	metrics := make(chan prometheus.Metric)
	go func() {
		defer close(metrics)
		collector.Collect(metrics)
	}()
	kinds := map[string]string{}
	for metric := range metrics {
		var value dto.Metric
		if err := metric.Write(&value); err != nil {
			continue // no value: Metrics goes by the descriptor
		}
		kinds[metric.Desc().String()] = kindOf(&value)
	}
	return kinds
}

func kindOf(value *dto.Metric) string {
	switch {
	case value.Counter != nil:
		return "counter"
	case value.Histogram != nil:
		return "histogram"
	case value.Summary != nil:
		return "summary"
	default:
		return "gauge"
	}
}

// kindOfIdle is the type of a metric that has no value now.
func kindOfIdle(collector prometheus.Collector, name string) string {
	switch collector.(type) {
	case *prometheus.CounterVec:
		return "counter"
	case *prometheus.HistogramVec:
		return "histogram"
	case *prometheus.SummaryVec:
		return "summary"
	}
	if strings.HasSuffix(name, "_total") {
		return "counter"
	}
	return "gauge"
}

type metric struct{ name, help, labels string }

// parseDesc reads a descriptor by its text, for want of any other access to it.
func parseDesc(text string) (metric, error) {
	var m metric
	name, err1 := quotedAfter(text, "fqName: ")
	help, err2 := quotedAfter(text, ", help: ")
	_, labels, found := strings.Cut(text, "variableLabels: {")
	labels, _, closed := strings.Cut(labels, "}")
	if err1 != nil || err2 != nil || !found || !closed {
		return m, fmt.Errorf("descriptor %q has an unknown form", text)
	}
	m.name, m.help = name, help
	if labels != "" {
		m.labels = "`" + strings.ReplaceAll(labels, ",", "`, `") + "`"
	}
	return m, nil
}

func quotedAfter(text, key string) (string, error) {
	_, rest, found := strings.Cut(text, key)
	if !found {
		return "", strconv.ErrSyntax
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", err
	}
	return strconv.Unquote(quoted)
}

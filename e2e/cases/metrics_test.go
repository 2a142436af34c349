package cases

import (
	"bytes"
	"context"
	"fmt"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// gauge reads one gauge from the program's metrics; labels are name and value
// in turn.
func (p *program) gauge(ctx context.Context, name string, labels ...string) (float64, error) {
	_, body, err := get(ctx, p.admin+"/metrics")
	if err != nil {
		return 0, err
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	for _, metric := range families[name].GetMetric() {
		if hasLabels(metric, labels) {
			return metric.GetGauge().GetValue(), nil
		}
	}
	return 0, fmt.Errorf("there is no metric %s with the labels %v", name, labels)
}

func hasLabels(metric *dto.Metric, labels []string) bool {
	values := map[string]string{}
	for _, label := range metric.GetLabel() {
		values[label.GetName()] = label.GetValue()
	}
	for i := 0; i < len(labels); i += 2 {
		if values[labels[i]] != labels[i+1] {
			return false
		}
	}
	return true
}

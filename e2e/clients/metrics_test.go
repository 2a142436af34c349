package clients

import (
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// heartbeatRoute is how the server calls the route of heartbeats in its metrics.
const heartbeatRoute = "/apps/{app}/{id}"

// heartbeats is how many heartbeats the server has answered with a status code.
func (s *server) heartbeats(t *testing.T, code string) float64 {
	t.Helper()
	_, body, err := send(t.Context(), http.MethodGet, s.admin+"/metrics", "")
	if err != nil {
		t.Fatal(err)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, metric := range families["eurekube_http_requests_total"].GetMetric() {
		labels := map[string]string{}
		for _, label := range metric.GetLabel() {
			labels[label.GetName()] = label.GetValue()
		}
		if labels["route"] == heartbeatRoute && labels["method"] == http.MethodPut && labels["code"] == code {
			total += metric.GetCounter().GetValue()
		}
	}
	return total
}

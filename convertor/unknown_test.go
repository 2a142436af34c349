package convertor_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/eurekube/eurekube/convertor"
)

func TestUnknownLabels(t *testing.T) {
	tests := []struct {
		name     string
		prefixes []string // default: both
		edits    []edit
		want     []string
	}{
		{name: "swapped letters", edits: []edit{annotation("eurekube.io/helath-path", "/health")},
			want: []string{`annotation "eurekube.io/helath-path" is not read; the nearest name that is: health-path`}},
		{name: "a letter left out", edits: []edit{label("eurekube.io/managment-port", "8081")},
			want: []string{`label "eurekube.io/managment-port" is not read; the nearest name that is: management-port`}},
		{name: "a letter too many", edits: []edit{label("eurekube.io/portt", "8081")},
			want: []string{`label "eurekube.io/portt" is not read; the nearest name that is: port`}},
		{name: "another case", edits: []edit{label("eurekube.io/Port", "8081")},
			want: []string{`label "eurekube.io/Port" is not read; the nearest name that is: port`}},
		{name: "nothing like it", edits: []edit{label("eurekube.io/team", "blue")},
			want: []string{`label "eurekube.io/team" is not read`}},
		{name: "Choerodon's name of the management port", edits: []edit{label("eurekube.io/metrics-port", "8081")},
			want: []string{`label "eurekube.io/metrics-port" is not read`}},
		{name: "an annotation's name as a label", edits: []edit{label("eurekube.io/vip", "web"), label("eurekube.io/metadata.team", "blue")},
			want: []string{`label "eurekube.io/metadata.team" is read as an annotation only`, `label "eurekube.io/vip" is read as an annotation only`}},
		{name: "GeeRPC's protocol as a label", edits: []edit{label("eurekube.io/geerpc", "tcp")},
			want: []string{`label "eurekube.io/geerpc" is read as an annotation only`}},
		{name: "metadata", edits: []edit{annotation("eurekube.io/metadata.helath-path", "x")}},
		{name: "beside Choerodon's labels", edits: []edit{choerodon, annotation("eurekube.io/helath-path", "/")},
			want: []string{`annotation "eurekube.io/helath-path" is not read; the nearest name that is: health-path`}},
		{name: "keys of other parts of Choerodon", edits: []edit{choerodon, label("choerodon.io/release", "r1"), label("choerodon.io/versoin", "1")}},
		{name: "another prefix's key", edits: []edit{label("shop.example/team", "blue"), label("app.kubernetes.io/prot", "1")}},
		{name: "own prefix, nothing like it", prefixes: []string{"eurekube.io", "shop.example"}, edits: []edit{label("shop.example/team", "blue")}},
		{name: "own prefix, a slip", prefixes: []string{"eurekube.io", "shop.example"}, edits: []edit{label("shop.example/prot", "1")},
			want: []string{`label "shop.example/prot" is not read; the nearest name that is: port`}},
		{name: "a pod without a port", edits: []edit{containers(container("app")), label("eurekube.io/prot", "1")},
			want: []string{`label "eurekube.io/prot" is not read; the nearest name that is: port`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rules := with(func(r *convertor.Rules) {
				if tt.prefixes != nil {
					r.Prefixes = tt.prefixes
				}
			})
			equal(t, "unknown labels", unknownLabels(newPod("orders-abc", "10.0.0.5", "orders", tt.edits...), rules), tt.want)
		})
	}
}

// unknownLabels are the messages about them.
func unknownLabels(pod *corev1.Pod, rules convertor.Rules) (messages []string) {
	_, warnings, _ := convertor.Convert(pod, rules)
	for _, w := range warnings {
		if w.Reason == convertor.WarningUnknownLabel {
			messages = append(messages, w.Message)
		}
	}
	return messages
}

func TestUnknownLabels_AreBounded(t *testing.T) {
	var edits []edit
	for i := range 100 {
		edits = append(edits, annotation(fmt.Sprintf("eurekube.io/key-%03d", i), "x"))
	}
	messages := unknownLabels(newPod("orders-abc", "10.0.0.5", "orders", edits...), defaultRules)
	equal(t, "number of warnings", len(messages), 11)
	equal(t, "last warning", messages[10], "and 90 more keys that are not read")
}

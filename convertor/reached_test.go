package convertor_test

import (
	"testing"

	"github.com/eurekube/eurekube/convertor"
)

func TestEndpoints(t *testing.T) {
	tests := []struct {
		name  string
		edits []edit
		want  []convertor.Endpoint
	}{
		{name: "address and name", want: []convertor.Endpoint{{"10.0.0.5", 8080}, {"orders-abc", 8080}}},
		{name: "the port that is listened on, not the advertised one",
			edits: []edit{annotation("eurekube.io/advertise-port", "443"), annotation("eurekube.io/advertise-host", "gw.example.com"), annotation("eurekube.io/port", "9090")},
			want:  []convertor.Endpoint{{"10.0.0.5", 9090}, {"orders-abc", 9090}}},
		{name: "every address, in canonical form", edits: []edit{addresses("10.0.0.5", "10.0.0.5", "FD00:0::5", "")},
			want: []convertor.Endpoint{{"10.0.0.5", 8080}, {"fd00::5", 8080}, {"orders-abc", 8080}}},
		{name: "a machine's name from a manifest", edits: []edit{addresses("db1.example.com")},
			want: []convertor.Endpoint{{"db1.example.com", 8080}, {"orders-abc", 8080}}},
		{name: "not ready", edits: []edit{unready(startTime)}, want: []convertor.Endpoint{{"10.0.0.5", 8080}, {"orders-abc", 8080}}},
		{name: "finished", edits: []edit{phase("Failed")}},
		{name: "no address", edits: []edit{addresses("")}},
		{name: "no port", edits: []edit{containers(container("app"))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pod := newPod("orders-abc", "10.0.0.5", "orders", tt.edits...)
			equal(t, "endpoints", convertor.Endpoints(pod, defaultRules), tt.want)
		})
	}
}

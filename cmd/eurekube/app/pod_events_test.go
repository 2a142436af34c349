package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestPodEvents_ByFlag(t *testing.T) {
	tests := []struct {
		name    string
		args    []string
		want    []string
		counted bool // by a metric
	}{
		{name: "what has to be mended, by default", want: []string{"Warning NoPort broken"}, counted: true},
		{name: "none", args: []string{"--pod-events=none"}},
		{name: "all", args: []string{"--pod-events=all"}, want: []string{"Normal Listed orders-1", "Warning NoPort broken"}, counted: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, func(r *rig) {
				r.serve(tt.args...)
				r.create(pod("orders-1", "10.0.0.1", "orders"))
				r.create(pod("broken", "10.0.0.2", "orders", containers(container("app"))))
				list, err := r.cluster.CoreV1().Events("shop").List(r.Context(), metav1.ListOptions{})
				if err != nil {
					r.Fatal(err)
				}
				got := map[string]int{}
				for _, e := range list.Items {
					got[e.Type+" "+e.Reason+" "+e.InvolvedObject.Name]++
				}
				want := map[string]int{}
				for _, e := range tt.want {
					want[e]++
				}
				if diff := cmp.Diff(want, got); diff != "" {
					r.Errorf("Events differ (-want +got):\n%s", diff)
				}
				answer := httptest.NewRecorder()
				r.admin.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
				if got := strings.Contains(answer.Body.String(), `eurekube_pod_events_total{result="created"}`); got != tt.counted {
					r.Errorf("eurekube_pod_events_total is there: %v, want %v", got, tt.counted)
				}
			})
		})
	}
}

package app

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/eurekube/eurekube/controller"
	"github.com/eurekube/eurekube/internal/telemetry"
)

// pods answers /pods: every pod that opted in and what became of it, filtered by
// the query. Before the first complete list an empty answer would say that there
// is none.
func (p *program) pods(query url.Values) (any, error) {
	keep, err := podFilter(query)
	if err != nil {
		return nil, err
	}
	if err := p.synced(); err != nil {
		return nil, telemetry.Unavailable{Reason: err}
	}
	all := p.controller.Pods()
	return struct {
		Pods []controller.PodState `json:"pods"`
	}{slices.DeleteFunc(all, func(s controller.PodState) bool { return !keep(s) })}, nil
}

// podFilter reads namespace, service and listed. A parameter that means nothing
// is an error: a filter that is ignored answers another question. A service is
// compared without case, as clients read it in capitals.
func podFilter(query url.Values) (keep func(controller.PodState) bool, err error) {
	for name := range query {
		if !slices.Contains([]string{"namespace", "service", "listed"}, name) {
			return nil, fmt.Errorf("unknown parameter %q: there are namespace, service and listed", name)
		}
	}
	listed := query.Get("listed")
	if !slices.Contains([]string{"", "true", "false"}, listed) {
		return nil, fmt.Errorf("listed=%s is neither true nor false", listed)
	}
	namespace, service := query.Get("namespace"), query.Get("service")
	return func(s controller.PodState) bool {
		return (namespace == "" || s.Namespace == namespace) &&
			(service == "" || strings.EqualFold(s.Service, service)) &&
			(listed == "" || s.Listed == (listed == "true"))
	}, nil
}

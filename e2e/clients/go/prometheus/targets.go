package main

import (
	"slices"
	"strings"
	"sync"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/discovery/targetgroup"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/relabel"

	"github.com/eurekube/eurekube/e2e/clients/go/control"
)

const (
	appLabel      = "__meta_eureka_app_name"
	idLabel       = "__meta_eureka_app_instance_id"
	statusLabel   = "__meta_eureka_app_instance_status"
	metadataLabel = "__meta_eureka_app_instance_metadata_"
)

// keepUp is the rule without which Prometheus scrapes whatever is listed.
var keepUp = &relabel.Config{
	SourceLabels:         model.LabelNames{statusLabel},
	Separator:            ";",
	Regex:                relabel.MustNewRegexp("UP"),
	Action:               relabel.Keep,
	NameValidationScheme: model.UTF8Validation,
}

// targets are what was discovered last.
type targets struct {
	mu     sync.Mutex // guards groups
	groups []*targetgroup.Group
}

func (t *targets) replace(groups []*targetgroup.Group) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.groups = groups
}

// all are the labels of each target.
func (t *targets) all() []model.LabelSet {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []model.LabelSet
	for _, group := range t.groups {
		all = append(all, group.Targets...)
	}
	return all
}

func (t *targets) Discovered() map[string][]string {
	discovered := map[string][]string{}
	for _, target := range t.all() {
		if !relabel.ProcessBuilder(builder(target), keepUp) {
			continue
		}
		service := strings.ToLower(string(target[appLabel]))
		discovered[service] = append(discovered[service], "http://"+string(target[model.AddressLabel]))
	}
	for _, urls := range discovered {
		slices.Sort(urls)
	}
	return discovered
}

func builder(target model.LabelSet) *labels.Builder {
	b := labels.NewBuilder(labels.EmptyLabels())
	for name, value := range target {
		b.Set(string(name), string(value))
	}
	return b
}

// Known has the names of metadata as Prometheus makes labels of them, with _ for
// what a label cannot hold.
func (t *targets) Known(app string) []control.Instance {
	known := []control.Instance{}
	for _, target := range t.all() {
		if !strings.EqualFold(string(target[appLabel]), app) {
			continue
		}
		metadata := map[string]string{}
		for name, value := range target {
			if key, ok := strings.CutPrefix(string(name), metadataLabel); ok {
				metadata[key] = string(value)
			}
		}
		known = append(known, control.Instance{
			ID: string(target[idLabel]), Status: string(target[statusLabel]), Metadata: metadata,
		})
	}
	return known
}

package controller

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
)

// WarningManifestHidden is the warning of a pod of the API server that a manifest
// describes, too. It is no warning of the convertor's, which sees one pod.
const WarningManifestHidden convertor.WarningReason = "manifest-hidden"

// PodState explains to a person what became of a pod that opted in.
type PodState struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Service is the name of the service as the pod's owner wrote it, empty
	// when the label is.
	Service string `json:"service"`
	// Listed says whether clients see the pod, under whatever status.
	Listed bool `json:"listed"`
	// Status is the one that clients see, empty while they see none. It can be
	// worse than the pod's readiness: an operator overrode it, or its application
	// says so.
	Status eureka.Status `json:"status,omitempty"`
	// Override is what an operator set with PUT status, empty for none. It says
	// nothing of the annotation, which the pod itself shows.
	Override eureka.Status `json:"override,omitempty"`
	// Reason is why it is not listed, one of the convertor's, ReasonCancelled or
	// ReasonShadowed, and Hint what can be done; both are empty for a listed pod.
	Reason convertor.Reason `json:"reason,omitempty"`
	Hint   string           `json:"hint,omitempty"`
	// Warnings are what is odd about the pod, listed or not.
	Warnings []PodWarning `json:"warnings,omitempty"`
	// Since is when this server first saw the pod as Listed and Reason say; a
	// shadowed pod, as ready. It never goes back while the pod is the same, and begins
	// anew with the server, unlike the timestamps of the instance.
	Since time.Time `json:"since"`
}

// PodWarning is one thing that is odd about a pod.
type PodWarning struct {
	Reason  convertor.WarningReason `json:"reason"`
	Message string                  `json:"message"`
}

// verdict is what was last decided about a pod.
type verdict struct {
	key   string // of the registry: namespace/name/UID, never the address (field case 75)
	app   string // with id, where it is listed; empty when nowhere
	id    string
	up    bool
	state PodState
	// The copy of the pod that it is about, and the file with the manifest that
	// it hides, empty for none.
	source          *source
	resourceVersion string
	hiddenFile      string
	faults          []podFault // for Events; none when nobody wants them
}

// explain puts the outcome of a conversion into words.
func (c *Controller) explain(seen sighting, inst *eureka.Instance, warnings []convertor.Warning, err error) verdict {
	pod := seen.pod
	state := PodState{
		Namespace: pod.Namespace,
		Name:      pod.Name,
		Service:   convertor.ServiceName(pod, c.rules.Prefixes),
		Listed:    err == nil,
		Since:     time.Now(),
	}
	if errors.As(err, &state.Reason) {
		state.Hint = strings.ReplaceAll(seen.source.origin.hint(state.Reason), "<prefix>", convertor.Prefix(pod, c.rules.Prefixes))
	}
	for _, w := range warnings {
		state.Warnings = append(state.Warnings, PodWarning(w))
	}
	hiddenFile := c.hiddenFile(seen)
	if hiddenFile != "" {
		state.Warnings = append(state.Warnings, PodWarning{WarningManifestHidden, "the manifest of the same name in " + hiddenFile + " is not used; the cluster's pod counts"})
	}
	v := verdict{
		key:   pod.Namespace + "/" + pod.Name + "/" + string(pod.UID),
		up:    err == nil && inst.Status == eureka.StatusUp,
		state: state,

		source:          seen.source,
		resourceVersion: pod.ResourceVersion,
		hiddenFile:      hiddenFile,
		faults:          c.faultsOf(seen, state.Reason, warnings),
	}
	if inst != nil {
		v.app, v.id = inst.App, inst.ID
	}
	return v
}

// explained keeps the latest verdict of every pod that opted in, and counts
// them.
type explained struct {
	metrics *metrics

	mu   sync.Mutex // guards pods
	pods map[cache.ObjectName]verdict
}

func newExplained(m *metrics) *explained {
	return &explained{metrics: m, pods: make(map[cache.ObjectName]verdict)}
}

// get is the latest verdict on a pod, if there is one.
func (e *explained) get(name cache.ObjectName) (verdict, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	v, ok := e.pods[name]
	return v, ok
}

// set makes now the latest verdict. The same outcome for the same pod goes on
// since it began.
func (e *explained) set(name cache.ObjectName, now verdict) {
	e.mu.Lock()
	defer e.mu.Unlock()
	before, known := e.pods[name]
	if known && before.key == now.key && before.state.Listed == now.state.Listed && before.state.Reason == now.state.Reason {
		now.state.Since = before.state.Since
	}
	e.metrics.count(before.state, -1)
	e.metrics.count(now.state, 1)
	e.pods[name] = now
}

// forget ends the story of a pod that is gone.
func (e *explained) forget(name cache.ObjectName) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.metrics.count(e.pods[name].state, -1)
	delete(e.pods, name)
}

func (e *explained) all() []verdict {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Collect(maps.Values(e.pods))
}

package controller

import (
	"cmp"
	"errors"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/eurekube/eurekube/convertor"
	"github.com/eurekube/eurekube/eureka"
)

// PodState explains to a person what became of a pod that opted in.
type PodState struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Service is the name of the service as the pod's owner wrote it, empty
	// when the label is.
	Service string `json:"service"`
	// Listed says whether clients see the pod, under whatever status.
	Listed bool `json:"listed"`
	// Reason is why it is not listed, and Hint what can be done; both are empty
	// for a listed pod.
	Reason convertor.Reason `json:"reason,omitempty"`
	Hint   string           `json:"hint,omitempty"`
	// Warnings are what is odd about the pod, listed or not.
	Warnings []PodWarning `json:"warnings,omitempty"`
	// Since is when this server first saw the pod as Listed and Reason say. It
	// starts anew with the server, unlike the timestamps of the instance.
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
	up    bool
	state PodState
}

// explain puts the outcome of a conversion into words.
func (c *Controller) explain(pod *corev1.Pod, inst *eureka.Instance, warnings []convertor.Warning, err error) verdict {
	state := PodState{
		Namespace: pod.Namespace,
		Name:      pod.Name,
		Service:   convertor.ServiceName(pod, c.rules.Prefixes),
		Listed:    inst != nil,
		Since:     time.Now(),
	}
	if errors.As(err, &state.Reason) {
		state.Hint = state.Reason.Hint()
	}
	for _, w := range warnings {
		state.Warnings = append(state.Warnings, PodWarning(w))
	}
	return verdict{
		key:   pod.Namespace + "/" + pod.Name + "/" + string(pod.UID),
		up:    inst != nil && inst.Status == eureka.StatusUp,
		state: state,
	}
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

// Pods explains every pod that opted in, by namespace and name. The caller
// must not change the warnings.
func (c *Controller) Pods() []PodState {
	return c.explained.all()
}

func (e *explained) all() []PodState {
	e.mu.Lock()
	states := make([]PodState, 0, len(e.pods))
	for _, v := range e.pods {
		states = append(states, v.state)
	}
	e.mu.Unlock()
	slices.SortFunc(states, func(a, b PodState) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return states
}

package controller

import (
	"cmp"
	"slices"
	"strings"

	"github.com/eurekube/eurekube/convertor"
)

// Pods explains every pod that opted in, by namespace and name. The caller
// must not change the warnings.
func (c *Controller) Pods() []PodState {
	verdicts := c.explained.all()
	states := make([]PodState, len(verdicts))
	for i, v := range verdicts {
		states[i] = c.outcome(v)
	}
	slices.SortFunc(states, func(a, b PodState) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return states
}

// outcome is what the pod itself shows with what operators, the application and
// other pods made of it since.
func (c *Controller) outcome(v verdict) PodState {
	state, pod := v.state, c.registry.Pod(v.key)
	state.Status, state.Override = pod.Status, pod.Override
	if !state.Listed {
		return state
	}
	if state.Since.Before(pod.TurnedAt) {
		state.Since = pod.TurnedAt
	}
	if pod.Cancelled {
		state.Listed, state.Reason, state.Hint = false, ReasonCancelled, cancelledHint
	} else if by := c.shadowOf(v); by != "" {
		state.Listed, state.Reason, state.Hint = false, ReasonShadowed, shadowedHint(by)
	}
	return state
}

// shadowOf is the namespace and name of the pod that is listed in the place of
// another, empty when none is.
func (c *Controller) shadowOf(v verdict) string {
	record, ok := c.registry.Lookup(v.app, v.id)
	if !ok || record.PodKey == "" || record.PodKey == v.key {
		return ""
	}
	namespace, rest, _ := strings.Cut(record.PodKey, "/")
	name, _, _ := strings.Cut(rest, "/") // what follows is the UID, which may hold any text
	return namespace + "/" + name
}

// unlistedByOthers counts the pods that would be listed if it were up to them, by
// the reason why they are not.
func (c *Controller) unlistedByOthers() map[convertor.Reason]int {
	n := map[convertor.Reason]int{ReasonCancelled: 0, ReasonShadowed: 0}
	for _, v := range c.explained.all() {
		if v.state.Listed {
			if state := c.outcome(v); !state.Listed {
				n[state.Reason]++
			}
		}
	}
	return n
}

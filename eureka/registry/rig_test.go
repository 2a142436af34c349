package registry

import (
	"fmt"
	"slices"
	"time"

	"github.com/eurekube/eurekube/eureka"
)

// clock is a clock that a test moves.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.UnixMilli(1_700_000_000_000)} }

func (c *clock) now() time.Time { return c.at }

// up is an instance of app that registered at the given millisecond.
func up(app, id string, registered int64) *eureka.Instance {
	return &eureka.Instance{
		ID: id, App: app, HostName: id, IPAddr: id, Status: eureka.StatusUp, OverriddenStatus: eureka.StatusUnknown,
		LastUpdatedTimestamp: registered, LastDirtyTimestamp: registered,
		Lease: eureka.Lease{RegistrationTimestamp: registered},
	}
}

// view is what a reader of Drain knows: it applies changes as the publisher does.
type view struct {
	listed, recent map[string][]*eureka.Instance
	census         eureka.Census
}

func newView() *view {
	return &view{map[string][]*eureka.Instance{}, map[string][]*eureka.Instance{}, eureka.Census{}}
}

func (v *view) drain(r *Registry) Changes {
	ch := r.Drain()
	v.census = ch.Census
	for _, a := range ch.Apps {
		if a.ListedChanged {
			set(v.listed, a.Name, a.Instances)
		}
		set(v.recent, a.Name, a.Recent)
	}
	return ch
}

func set(m map[string][]*eureka.Instance, name string, instances []*eureka.Instance) {
	if len(instances) == 0 {
		delete(m, name)
		return
	}
	m[name] = instances
}

// short says what a list holds: app/id action, in order.
func short(m map[string][]*eureka.Instance) []string {
	var lines []string
	for _, instances := range m {
		for _, i := range instances {
			lines = append(lines, fmt.Sprintf("%s/%s %s", i.App, i.ID, i.ActionType))
		}
	}
	slices.Sort(lines)
	return lines
}

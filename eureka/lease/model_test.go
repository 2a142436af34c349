package lease

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eurekube/eurekube/eureka"
)

// model is the plain reading of the rules: one map, whole seconds, no locks.
type model struct {
	now    int // seconds
	leases map[string]modelLease
	kept   map[string]modelOverride
}

type modelLease struct {
	status, override eureka.Status
	dirty            int64
	renewed, lasts   int
}

type modelOverride struct {
	status eureka.Status
	until  int
}

// pass lets a second pass. In its middle what is over ends.
func (m *model) pass() {
	m.now++
	for id, l := range m.leases {
		if m.now <= l.renewed+l.lasts { // the sweep comes half a second after the duration
			continue
		}
		delete(m.leases, id)
		if l.override != "" {
			m.kept[id] = modelOverride{l.override, m.now + 3600}
		}
	}
}

func (m *model) register(id string, reported eureka.Status, dirty int64, lasts int) {
	l := modelLease{status: reported, dirty: dirty, renewed: m.now, lasts: lasts}
	if before, ok := m.leases[id]; ok {
		l.override = before.override
		if before.dirty > dirty {
			l.status, l.dirty = before.status, before.dirty
		}
	} else if kept := m.kept[id]; m.now < kept.until {
		l.override = kept.status
	}
	delete(m.kept, id)
	if l.override != "" && (l.status == eureka.StatusUp || l.status == eureka.StatusOutOfService) {
		l.status = l.override
	}
	m.leases[id] = l
}

func (m *model) renew(id string, dirty int64) error {
	l, ok := m.leases[id]
	if !ok || l.status == eureka.StatusUnknown {
		return ErrNotFound
	}
	l.renewed = m.now
	m.leases[id] = l
	if dirty > l.dirty {
		return ErrNotFound
	}
	return nil
}

func (m *model) cancel(id string) error {
	_, ok := m.leases[id]
	delete(m.leases, id)
	delete(m.kept, id)
	if !ok {
		return ErrNotFound
	}
	return nil
}

// restate sets the override of id to one that leaves it with a status, unless
// keep says that nothing changes.
func (m *model) restate(id string, status, override eureka.Status, dirty int64, keep func(modelLease) bool) error {
	l, ok := m.leases[id]
	if !ok {
		return ErrNotFound
	}
	l.renewed = m.now
	if !keep(l) {
		l.status, l.override, l.dirty = status, override, max(l.dirty, dirty)
	}
	m.leases[id] = l
	return nil
}

// TestAnySequenceOfWritesFollowsTheRules plays random writes and lets time pass,
// on the store and on the model, and compares what is listed after each step.
func TestAnySequenceOfWritesFollowsTheRules(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			run(t, Config{}, func(r *rig) {
				random := rand.New(rand.NewPCG(seed, 4))
				m := &model{leases: make(map[string]modelLease), kept: make(map[string]modelOverride)}
				time.Sleep(time.Second / 2) // writes and sweeps do not fall together
				synctest.Wait()
				var steps []string
				for range 400 {
					step, ours, models := r.step(random, m)
					steps = append(steps, step)
					if ours != models {
						r.t.Fatalf("error %v, want %v, at the end of\n%s", ours, models, strings.Join(steps, "\n"))
					}
					if diff := cmp.Diff(m.listed(), r.all()); diff != "" {
						r.t.Fatalf("listed (-want +got):\n%s\nat the end of\n%s", diff, strings.Join(steps, "\n"))
					}
				}
			})
		})
	}
}

// step is one random step on both.
func (r *rig) step(random *rand.Rand, m *model) (step string, ours, models error) {
	id := fmt.Sprint("i", random.IntN(3))
	state := eureka.Statuses[random.IntN(len(eureka.Statuses))]
	stamp := 1000 + random.Int64N(4)
	switch kind := random.IntN(12); kind {
	case 0, 1, 2:
		lasts := 2 + random.IntN(6)
		m.register(id, state, stamp, lasts)
		return fmt.Sprintf("register %s %s dirty %d lasting %d", id, state, stamp, lasts),
			r.Register(r.t.Context(), registration("A", id, status(state), dirty(stamp), lasting(1, lasts)), noAddr, kind == 0), nil
	case 3, 4:
		return fmt.Sprintf("renew %s dirty %d", id, stamp), r.Renew("A", id, Renewal{LastDirty: stamp, HasLastDirty: true}), m.renew(id, stamp)
	case 5:
		return "cancel " + id, r.Cancel("A", id, false), m.cancel(id)
	case 6, 7:
		return fmt.Sprintf("override %s %s dirty %d", id, state, stamp), r.Override("A", id, state, Dirty{stamp, true}, false),
			m.restate(id, state, state, stamp, func(l modelLease) bool { return l.status == state })
	case 8:
		return fmt.Sprintf("remove override %s %s dirty %d", id, state, stamp), r.RemoveOverride("A", id, state, Dirty{stamp, true}, false),
			m.restate(id, state, "", stamp, func(l modelLease) bool { return l.override == "" })
	default:
		seconds := 1 + random.IntN(4)
		if random.IntN(40) == 0 {
			seconds = 3590 + random.IntN(10)
		}
		for range seconds {
			m.pass()
		}
		r.wait(seconds)
		return fmt.Sprintf("%d s pass", seconds), nil, nil
	}
}

// listed is what clients see.
func (m *model) listed() []string {
	var all []string
	for id, l := range m.leases {
		override := l.override
		if override == "" {
			override = eureka.StatusUnknown
		}
		all = append(all, fmt.Sprintf("%s %s overridden %s", id, l.status, override))
	}
	slices.Sort(all)
	return all
}

// all is what clients see of the store, by way of the registry.
func (r *rig) all() []string {
	r.drain()
	var all []string
	for _, inst := range r.listed {
		all = append(all, fmt.Sprintf("%s %s overridden %s", inst.ID, inst.Status, inst.OverriddenStatus))
	}
	slices.Sort(all)
	return all
}

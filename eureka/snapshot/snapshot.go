package snapshot

import (
	"slices"
	"strings"
	"time"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
	"github.com/eurekube/eurekube/eureka/registry"
)

// Snapshot is one frozen version of the registry. All its answers, the hash code
// and the delta agree with each other. Any number of goroutines may read it; none
// can change it.
type Snapshot struct {
	version   int64 // versions__delta: moves with every change that a client can see
	serial    int64 // moves also when the delta forgets
	census    eureka.Census
	hash      string
	full      *collection
	delta     *collection
	answers   [2]answers // of full and delta
	byVIP     [2]once[map[string][]*listed]
	documents documents
	feed      feed
	asked     *asked
}

// answers are the bodies of a collection, plain and gzip, in each form.
type answers [codec.Forms][2]once[Body]

// The collections of a snapshot, as indices.
const (
	full = iota
	delta
)

func newSnapshot(version int64) *Snapshot {
	return &Snapshot{version: version, full: emptyCollection, delta: emptyCollection, asked: new(asked)}
}

// next is the snapshot after s that has seen ch, at now. The version moves only if a
// client can see a difference in the full list.
func (s *Snapshot) next(ch registry.Changes, now time.Time) *Snapshot {
	n := &Snapshot{version: s.version, serial: s.serial + 1, census: ch.Census, hash: ch.Census.HashCode(), asked: s.asked}
	for i := range ch.Apps {
		if ch.Apps[i].ListedChanged {
			n.version++
			break
		}
	}
	var listedApps, recentApps []*listed
	var changes []*Change
	for _, c := range ch.Apps {
		app := s.full.find(c.Name)
		if c.ListedChanged {
			changes = changesOf(changes, app, c)
			app = newListed(c.Name, c.Instances, n.version)
			listedApps = append(listedApps, app)
		}
		if app == nil || !slices.Equal(app.Instances, c.Recent) {
			app = newListed(c.Name, c.Recent, n.version)
		}
		recentApps = append(recentApps, app)
	}
	n.full = s.full.with(listedApps)
	n.delta = s.delta.with(recentApps).sharing(n.full)
	n.feed = s.feed.next(changes, now)
	return n
}

func newListed(name string, instances []*eureka.Instance, version int64) *listed {
	return &listed{Application: eureka.Application{Name: name, Instances: instances}, version: version}
}

// Version is the versions__delta of the snapshot. It moves by one with every
// change that a client can see and starts at the clock's microseconds, faster
// than which nothing is published, so that a restart does not repeat it:
// py-eureka-client skips a delta whose version and hash it has seen before.
func (s *Snapshot) Version() int64 { return s.version }

// Serial moves with every snapshot, also when only the delta forgot something.
func (s *Snapshot) Serial() int64 { return s.serial }

// HashCode is the apps__hashcode over all listed instances.
func (s *Snapshot) HashCode() string { return s.hash }

// Census counts the listed instances by status.
func (s *Snapshot) Census() eureka.Census { return s.census }

// Each calls yield for every listed application, in no order to rely on.
func (s *Snapshot) Each(yield func(*eureka.Application)) {
	s.full.each(func(a *listed) { yield(&a.Application) })
}

// Full is the answer of GET apps in form f, as a gzip member if zip is set.
func (s *Snapshot) Full(f codec.Form, zip bool) Body {
	return s.answer(full, s.full, f, zip)
}

// Delta is the answer of GET apps/delta in form f, as a gzip member if zip is
// set.
func (s *Snapshot) Delta(f codec.Form, zip bool) Body {
	return s.answer(delta, s.delta, f, zip)
}

func (s *Snapshot) answer(kind int, c *collection, f codec.Form, zip bool) Body {
	s.asked.note(kind, f, zip, time.Now())
	return s.answers[kind][f][index(zip)].get(func() Body { return c.encode(f, zip, s.version, s.hash) })
}

func index(zip bool) int {
	if zip {
		return 1
	}
	return 0
}

// Application returns the answer of GET apps/{app} in form f, to be encoded by
// a call of body if nobody has asked for it yet, and the version in which the
// application changed last. The name is upper case. It reports false if there is
// none.
func (s *Snapshot) Application(name string, f codec.Form) (body func() Body, version int64, ok bool) {
	a := s.full.find(name)
	if a == nil {
		return nil, 0, false
	}
	body = func() Body {
		return s.documents.get(documentKey{ofApplication, name, f, false}, func() Body {
			return newDocument(false, func(b []byte) []byte { return f.AppendApplication(b, &a.Application) })
		})
	}
	return body, a.version, true
}

// InstanceByID returns the instance with the given id of whichever application
// comes first; nil if it is not listed.
func (s *Snapshot) InstanceByID(id string) *eureka.Instance {
	for _, p := range s.full.pieces {
		for _, a := range p.apps {
			if inst := a.instance(id); inst != nil {
				return inst
			}
		}
	}
	return nil
}

// instance finds an instance of a full collection, where they are sorted by id.
func (a *listed) instance(id string) *eureka.Instance {
	i, ok := slices.BinarySearchFunc(a.Instances, id, func(inst *eureka.Instance, id string) int {
		return strings.Compare(inst.ID, id)
	})
	if !ok {
		return nil
	}
	return a.Instances[i]
}

// Instances are the listed instances of an application, whose name is upper case,
// and the version in which it changed last; none and 0 if it is not listed. They
// must not be changed.
func (s *Snapshot) Instances(app string) (instances []*eureka.Instance, version int64) {
	a := s.full.find(app)
	if a == nil {
		return nil, 0
	}
	return a.Instances, a.version
}

package client

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/eurekube/eurekube/eureka"
)

// Picker chooses one of the instances that can take a request.
type Picker interface {
	// Pick returns one of instances: there is at least one, all are UP, and they
	// are sorted by id. They are shared and must not be changed. name is the app or
	// VIP that was asked for, in upper case. Nil says that none of them will do:
	// whoever asked gets a [*NoInstanceError]. Many goroutines call Pick at once.
	Pick(name string, instances []*eureka.Instance) *eureka.Instance
}

// PickerFunc is a function as a [Picker].
type PickerFunc func(name string, instances []*eureka.Instance) *eureka.Instance

// Pick calls f.
func (f PickerFunc) Pick(name string, instances []*eureka.Instance) *eureka.Instance {
	return f(name, instances)
}

// Random chooses each instance with the same probability.
func Random() Picker {
	return PickerFunc(func(_ string, instances []*eureka.Instance) *eureka.Instance {
		return instances[rand.N(len(instances))]
	})
}

// roundRobin has a turn for each name that it was asked for: only names under which
// somebody is listed ever are.
type roundRobin struct {
	turns sync.Map // of *atomic.Uint64 by name
}

// RoundRobin chooses the instances of each name in turn. It begins anywhere, so that
// programs that were started together do not all call the same one.
func RoundRobin() Picker { return new(roundRobin) }

// Pick implements [Picker].
func (r *roundRobin) Pick(name string, instances []*eureka.Instance) *eureka.Instance {
	turn, known := r.turns.Load(name)
	if !known {
		first := new(atomic.Uint64)
		first.Store(rand.Uint64N(1 << 32))
		turn, _ = r.turns.LoadOrStore(name, first)
	}
	return instances[turn.(*atomic.Uint64).Add(1)%uint64(len(instances))]
}

package snapshot

import (
	"sync"
	"sync/atomic"
)

// once is a value that is made by its first reader and shared by all others.
type once[T any] struct {
	sync  sync.Once
	made  atomic.Bool
	value T
}

// get returns the value, made by make at the first call.
func (o *once[T]) get(make func() T) T {
	o.sync.Do(func() {
		o.value = make()
		o.made.Store(true)
	})
	return o.value
}

// peek returns the value if it was made.
func (o *once[T]) peek() (T, bool) {
	if !o.made.Load() {
		var none T
		return none, false
	}
	return o.value, true
}

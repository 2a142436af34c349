package snapshot

import "sync"

// once is a value that is made by its first reader and shared by all others.
type once[T any] struct {
	sync  sync.Once
	value T
}

// get returns the value, made by make at the first call.
func (o *once[T]) get(make func() T) T {
	o.sync.Do(func() { o.value = make() })
	return o.value
}

package snapshot

import (
	"io"
	"slices"
)

// joinBelow is the size in bytes under which neighbouring parts are copied into
// one: a write of its own for each small part costs more than the copy.
const joinBelow = 32 << 10

// Body is an encoded answer, ready to be written any number of times by any
// number of goroutines.
type Body struct {
	parts [][]byte
	size  int
}

// newBody keeps large parts as they are, shared with other versions, and joins
// small ones.
func newBody(parts [][]byte) Body {
	var b Body
	for len(parts) > 0 {
		n, size := small(parts)
		if n > 1 {
			b.parts = append(b.parts, slices.Concat(parts[:n]...))
		} else {
			n, size = 1, len(parts[0])
			b.parts = append(b.parts, parts[0])
		}
		b.size += size
		parts = parts[n:]
	}
	return b
}

// small is how many parts are small before the first large one, and their size in
// bytes.
func small(parts [][]byte) (n, size int) {
	for n < len(parts) && len(parts[n]) < joinBelow {
		size += len(parts[n])
		n++
	}
	return n, size
}

// Len is the length of the body in bytes.
func (b Body) Len() int {
	return b.size
}

// WriteTo writes the body to w. The error is w's.
func (b Body) WriteTo(w io.Writer) (int64, error) {
	var written int64
	for _, p := range b.parts {
		n, err := w.Write(p)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

package snapshot

import "io"

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
	var small []byte
	flush := func() {
		if len(small) > 0 {
			b.parts = append(b.parts, small)
			small = nil
		}
	}
	for _, p := range parts {
		b.size += len(p)
		if len(p) >= joinBelow {
			flush()
			b.parts = append(b.parts, p)
			continue
		}
		small = append(small, p...)
	}
	flush()
	return b
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

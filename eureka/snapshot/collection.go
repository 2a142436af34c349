package snapshot

import (
	"slices"
	"strings"

	"github.com/eurekube/eurekube/eureka/codec"
)

// The bounds on the mean size of pieces, in instances. Each piece starts its
// compression anew, so small ones make a gzip body larger: at minPerPiece by less
// than a tenth. Large ones make a change dearer: at maxPerPiece it takes a few
// milliseconds to encode and deflate 320 KiB. They are more than a factor of two
// apart, so that a registry at one size is not cut anew again and again.
const (
	minPerPiece = 140
	maxPerPiece = 320
	maxPieces   = 1 << 16
)

// collection is a frozen set of applications in 2^n pieces; the piece of an
// application follows from its name.
type collection struct {
	pieces []*piece
	size   int // instances
}

var emptyCollection = &collection{pieces: []*piece{newPiece(nil)}}

// place is the piece that the application called name is in: FNV-1a of the name.
// It must come out the same on every replica, so that their answers are equal.
func (c *collection) place(name string) int {
	h := uint32(2166136261)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return int(h) & (len(c.pieces) - 1)
}

// find returns the application called name, nil if there is none.
func (c *collection) find(name string) *listed {
	return c.pieces[c.place(name)].find(name)
}

// with is c with each of apps, sorted by name, in place of the one of its name.
// Every piece is made anew once at most, however many of its apps differ: there
// are as many as there are apps when the registry is new.
func (c *collection) with(apps []*listed) *collection {
	if len(apps) == 0 {
		return c
	}
	size := c.size
	for _, a := range apps {
		size += len(a.Instances)
		if before := c.find(a.Name); before != nil {
			size -= len(before.Instances)
		}
	}
	next := c.cut(fit(len(c.pieces), size))
	next.size = size
	changed := make([][]*listed, len(next.pieces))
	for _, a := range apps {
		i := next.place(a.Name)
		changed[i] = append(changed[i], a)
	}
	for i, group := range changed {
		if len(group) > 0 {
			next.pieces[i] = next.pieces[i].with(group)
		}
	}
	return next
}

// fit is how many pieces size instances take that are in n pieces now.
func fit(n, size int) int {
	for n < maxPieces && size > n*maxPerPiece {
		n *= 2
	}
	for n > 1 && size < n*minPerPiece {
		n /= 2
	}
	return n
}

// cut is a copy of c in n pieces.
func (c *collection) cut(n int) *collection {
	if n == len(c.pieces) {
		return &collection{pieces: slices.Clone(c.pieces), size: c.size}
	}
	next := &collection{pieces: make([]*piece, n), size: c.size}
	apps := make([][]*listed, n)
	for _, p := range c.pieces {
		for _, a := range p.apps {
			i := next.place(a.Name)
			apps[i] = append(apps[i], a)
		}
	}
	for i := range next.pieces {
		slices.SortFunc(apps[i], func(a, b *listed) int { return strings.Compare(a.Name, b.Name) })
		next.pieces[i] = newPiece(apps[i])
	}
	return next
}

// sharing is c with pieces of other in place of its own that hold the same
// applications, so that they are encoded once for both. After a start, and while
// many register, nearly all of the list is in the delta too.
func (c *collection) sharing(other *collection) *collection {
	if len(c.pieces) != len(other.pieces) {
		return c
	}
	shared := &collection{pieces: slices.Clone(c.pieces), size: c.size}
	for i, p := range other.pieces {
		if slices.Equal(p.apps, c.pieces[i].apps) {
			shared.pieces[i] = p
		}
	}
	return shared
}

// each calls yield for every application.
func (c *collection) each(yield func(*listed)) {
	for _, p := range c.pieces {
		for _, a := range p.apps {
			yield(a)
		}
	}
}

// encode is the collection as an answer in form f.
func (c *collection) encode(f codec.Form, zip bool, version int64, hash string) Body {
	if zip {
		return newBody(gzipParts(c.zips(f, version, hash)))
	}
	separator := []byte(f.Separator())
	parts := [][]byte{f.AppendHead(nil, version, hash)}
	for _, p := range c.pieces {
		if len(p.apps) == 0 {
			continue
		}
		if len(parts) > 1 {
			parts = append(parts, separator)
		}
		parts = append(parts, p.text(f))
	}
	return newBody(append(parts, f.AppendTail(nil, version, hash)))
}

// zips are the pieces of a gzip body: what encode joins, deflated.
func (c *collection) zips(f codec.Form, version int64, hash string) []deflated {
	separator := stored([]byte(f.Separator()), false)
	pieces := []deflated{stored(f.AppendHead(nil, version, hash), false)}
	for _, p := range c.pieces {
		if len(p.apps) == 0 {
			continue
		}
		if len(pieces) > 1 && separator.size > 0 {
			pieces = append(pieces, separator)
		}
		pieces = append(pieces, p.zip(f))
	}
	return append(pieces, stored(f.AppendTail(nil, version, hash), true))
}

// warm makes the pieces of form f ready.
func (c *collection) warm(f codec.Form, zip bool) {
	for _, p := range c.pieces {
		if len(p.apps) == 0 {
			continue
		}
		if zip {
			p.zip(f)
		} else {
			p.text(f)
		}
	}
}

package snapshot

import (
	"slices"
	"strings"
	"sync"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// listed is one application of a collection. It outlives snapshots until the
// application changes.
type listed struct {
	eureka.Application
	version int64 // of the snapshot that it came with, for its ETag
	vips    once[vips]
}

// piece is some applications of a collection, sorted by name, encoded together.
// It is shared by all snapshots in which these applications are the same.
type piece struct {
	apps  []*listed
	size  int // instances
	texts [codec.Forms]once[[]byte]
	zips  [codec.Forms]once[deflated]
}

func newPiece(apps []*listed) *piece {
	p := &piece{apps: apps}
	for _, a := range apps {
		p.size += len(a.Instances)
	}
	return p
}

// find returns the application called name, nil if p has none.
func (p *piece) find(name string) *listed {
	i, ok := search(p.apps, name)
	if !ok {
		return nil
	}
	return p.apps[i]
}

// search finds the place of name among apps, which are sorted.
func search(apps []*listed, name string) (int, bool) {
	return slices.BinarySearchFunc(apps, name, func(a *listed, name string) int {
		return strings.Compare(a.Name, name)
	})
}

// with is p with each of changed, sorted by name, in place of the one of its
// name; an app without instances only takes that one away.
func (p *piece) with(changed []*listed) *piece {
	apps := make([]*listed, 0, len(p.apps)+len(changed))
	rest, differs := p.apps, false
	for _, a := range changed {
		i, found := search(rest, a.Name)
		apps = append(apps, rest[:i]...)
		rest = rest[i:]
		if found {
			rest = rest[1:]
		}
		if len(a.Instances) > 0 {
			apps = append(apps, a)
		}
		differs = differs || found || len(a.Instances) > 0
	}
	if !differs {
		return p // its answers stay ready
	}
	return newPiece(append(apps, rest...))
}

// text is the applications in form f, joined by its separator.
func (p *piece) text(f codec.Form) []byte {
	return p.texts[f].get(func() []byte {
		var text []byte
		p.withText(f, func(b []byte) { text = slices.Clone(b) })
		return text
	})
}

// zip is text deflated. A text that nobody asked for is not kept: it is twenty
// times as large.
func (p *piece) zip(f codec.Form) deflated {
	return p.zips[f].get(func() (zip deflated) {
		p.withText(f, func(b []byte) { zip = deflate(b) })
		return zip
	})
}

// scratch holds buffers that grew to the size of a piece.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// withText lends the text to use, which must not keep it.
func (p *piece) withText(f codec.Form, use func(text []byte)) {
	if text, ok := p.texts[f].peek(); ok {
		use(text)
		return
	}
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	b := (*buffer)[:0]
	for i, a := range p.apps {
		if i > 0 {
			b = append(b, f.Separator()...)
		}
		b = f.AppendListed(b, &a.Application)
	}
	*buffer = b
	use(b)
}

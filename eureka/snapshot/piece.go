package snapshot

import (
	"slices"
	"strings"

	"github.com/eurekube/eurekube/eureka"
	"github.com/eurekube/eurekube/eureka/codec"
)

// listed is one application of a collection with the answers made from it
// alone. It outlives snapshots until the application changes.
type listed struct {
	eureka.Application
	version   int64 // of the snapshot that it came with, for its ETag
	documents [codec.Forms]once[Body]
	vips      once[vips]
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
	i, ok := p.search(name)
	if !ok {
		return nil
	}
	return p.apps[i]
}

func (p *piece) search(name string) (int, bool) {
	return slices.BinarySearchFunc(p.apps, name, func(a *listed, name string) int {
		return strings.Compare(a.Name, name)
	})
}

// with is p with app in place of the one of its name; an app without instances
// only takes that one away.
func (p *piece) with(app *listed) *piece {
	apps := slices.Clone(p.apps)
	i, ok := p.search(app.Name)
	switch {
	case len(app.Instances) == 0 && ok:
		apps = slices.Delete(apps, i, i+1)
	case len(app.Instances) == 0:
		return p
	case ok:
		apps[i] = app
	default:
		apps = slices.Insert(apps, i, app)
	}
	return newPiece(apps)
}

// text is the applications in form f, joined by its separator.
func (p *piece) text(f codec.Form) []byte {
	return p.texts[f].get(func() []byte {
		var b []byte
		for i, a := range p.apps {
			if i > 0 {
				b = append(b, f.Separator()...)
			}
			b = f.AppendListed(b, &a.Application)
		}
		return slices.Clip(b)
	})
}

// zip is text deflated.
func (p *piece) zip(f codec.Form) deflated {
	return p.zips[f].get(func() deflated { return deflate(p.text(f)) })
}

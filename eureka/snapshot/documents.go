package snapshot

import (
	"bytes"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/eurekube/eurekube/eureka/codec"
)

// documentBudget is how many bytes of documents one snapshot keeps. The answers
// about every application of 10,000 instances in one form are 12 MiB, and there
// are eight forms of each VIP: without a bound a client that reads them all has
// the server hold the list many times over.
const documentBudget = 8 << 20

// documentOverhead is what keeping a document takes besides its bytes and its
// name.
const documentOverhead = 256

// The kinds of documents.
const (
	ofApplication = iota
	ofVIP
	ofSecureVIP
)

// documentKey names an answer about one application or one VIP.
type documentKey struct {
	kind int
	name string
	form codec.Form
	zip  bool
}

// documents are answers that are no list of all: made when somebody asks, and
// kept until the next snapshot as far as the budget goes.
type documents struct {
	kept sync.Map // documentKey to *once[Body]
	used atomic.Int64
}

// get returns the document, which encode makes for its first reader. Beyond the
// budget it is shared only by those who ask while it is being made.
func (d *documents) get(key documentKey, encode func() Body) Body {
	found, ok := d.kept.Load(key)
	if !ok {
		key.name = strings.Clone(key.name) // it may be part of a long URL
		found, _ = d.kept.LoadOrStore(key, new(once[Body]))
	}
	document := found.(*once[Body])
	return document.get(func() Body {
		body := encode()
		size := int64(body.Len() + len(key.name) + documentOverhead)
		if d.used.Add(size) > documentBudget {
			d.used.Add(-size)
			d.kept.CompareAndDelete(key, document)
		}
		return body
	})
}

// newDocument is the body of a text, which is made in a shared buffer so that
// what is kept is its bytes and no more.
func newDocument(zip bool, encode func(b []byte) []byte) Body {
	buffer := scratch.Get().(*[]byte)
	defer scratch.Put(buffer)
	*buffer = encode((*buffer)[:0])
	if zip {
		return newBody(gzipParts([]deflated{deflate(*buffer), stored(nil, true)}))
	}
	return newBody([][]byte{bytes.Clone(*buffer)})
}

package controller

import (
	"bytes"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
)

var errTooManyAliases = fmt.Errorf("with its aliases replaced the file is larger than %d MiB", maxManifestMiB)

// expand returns how many bytes of text a document has once its aliases are
// replaced by what they stand for. It fails when there are more than left. The
// YAML decoder bounds how many values aliases may add, but not how long those
// are: an anchor of 128 KiB that is used ten thousand times passes it.
func (d document) expand(left int) (int, error) {
	if d.isJSON || bytes.IndexByte(d.text, '&') < 0 || bytes.IndexByte(d.text, '*') < 0 {
		return len(d.text), nil // no alias; most documents need no second look
	}
	var root yaml.Node
	if err := yaml.Unmarshal(d.text, &root); err != nil {
		return 0, errors.New(d.inFile(err.Error()))
	}
	e := expansion{limit: left, anchored: make(map[*yaml.Node]int)}
	if size := e.size(&root); size <= left {
		return size, nil
	}
	return 0, errTooManyAliases
}

// expansion measures nodes. Each is looked at once, however often it is used.
type expansion struct {
	limit    int // sizes above it are not told apart
	anchored map[*yaml.Node]int
}

// size is that of n with all below it. An anchor that contains itself counts
// nothing there: the decoder refuses it.
func (e *expansion) size(n *yaml.Node) int {
	if n.Anchor != "" {
		if size, known := e.anchored[n]; known {
			return size
		}
		e.anchored[n] = 0
	}
	size := 1 + len(n.Value)
	if n.Kind == yaml.AliasNode {
		size = e.size(n.Alias)
	}
	for _, child := range n.Content {
		if size = min(size+e.size(child), e.limit+1); size > e.limit {
			break
		}
	}
	if n.Anchor != "" {
		e.anchored[n] = size
	}
	return size
}

package codec

// node is a value of a document: JSON and XML read into the same ones, so that
// one decoder serves both. An XML element with elements inside is a nodeObject,
// any other is a nodeText that may have members too, its attributes.
type node struct {
	kind    nodeKind
	text    string
	members []nodeMember
}

// nodeMember is a member of an object, or an item of a list without a name.
type nodeMember struct {
	name string
	node node
}

// nodeKind says what a node is. The zero value is null, which is the same as
// an absent one everywhere.
type nodeKind uint8

const (
	nodeNull nodeKind = iota
	nodeText
	nodeObject
	nodeList
)

// maxDepth bounds how deep values are nested, so that no body can exhaust the
// stack. Instances need six levels; the rest is for fields we do not know.
const maxDepth = 64

// absent is the node of a member that is not there.
var absent = &node{}

// member is the last member that has one of the given names. It is never nil.
func (n *node) member(names ...string) *node {
	for i := len(n.members) - 1; i >= 0; i-- {
		for _, name := range names {
			if n.members[i].name == name {
				return &n.members[i].node
			}
		}
	}
	return absent
}

// has reports whether n has a member of the given name, be it null.
func (n *node) has(name string) bool { return n.member(name) != absent }

// all is every value under the given name: elements repeated, as XML writes a
// list, or the items of an array, of which the last one counts. Servers that
// made a list of one into an object are read too (field case 2).
func (n *node) all(name string) []*node {
	var values []*node
	for i := range n.members {
		if n.members[i].name != name {
			continue
		}
		value := &n.members[i].node
		switch value.kind {
		case nodeNull:
		case nodeList:
			values = values[:0]
			for j := range value.members {
				values = append(values, &value.members[j].node)
			}
		default:
			values = append(values, value)
		}
	}
	return values
}

// isEmpty reports whether n is an object or list without content. XML cannot
// tell it from empty text.
func (n *node) isEmpty() bool {
	switch n.kind {
	case nodeNull:
		return true
	case nodeText:
		return isBlank(n.text)
	}
	return false
}

// isBlank reports whether s is nothing but the white space of JSON and XML.
func isBlank[T string | []byte](s T) bool {
	for i := range len(s) {
		if !isSpace(s[i]) {
			return false
		}
	}
	return true
}

// isSpace reports whether b is white space to JSON and XML.
func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

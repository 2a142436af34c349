package codec

import (
	"bytes"
	"fmt"
)

// xmlScanner reads one XML element into a node. It knows no document types
// and no entities but the five of XML itself, so no body can make it fetch or
// expand anything. It takes names as they come: metadata keys with colons are
// what upstream servers write.
type xmlScanner struct {
	data []byte // UTF-8
	pos  int
}

// errorf is a syntax error where the scanner stands.
func (s *xmlScanner) errorf(format string, args ...any) error {
	return &SyntaxError{Format: "XML", Offset: s.pos, Problem: fmt.Sprintf(format, args...)}
}

// document reads the root element as the only member of an object.
func (s *xmlScanner) document(sh *shape) (node, error) {
	root := node{kind: nodeObject}
	more, err := s.outside()
	if err != nil {
		return root, err
	}
	if !more {
		return root, s.errorf("unexpected end")
	}
	if err := s.element(&root, sh, 0); err != nil {
		return root, err
	}
	if more, err = s.outside(); err == nil && more {
		err = s.errorf("a second root element")
	}
	return root, err
}

// outside skips what may stand before and after the root element, and reports
// whether an element follows.
func (s *xmlScanner) outside() (more bool, err error) {
	for {
		s.space()
		if s.pos == len(s.data) {
			return false, nil
		}
		if s.data[s.pos] != '<' {
			return false, s.errorf("text outside of an element")
		}
		if skipped, err := s.markup(); err != nil || !skipped {
			return true, err
		}
	}
}

// space skips white space.
func (s *xmlScanner) space() {
	for s.pos < len(s.data) && isSpace(s.data[s.pos]) {
		s.pos++
	}
}

// markup skips a comment or a processing instruction, and reports whether
// there was one.
func (s *xmlScanner) markup() (bool, error) {
	rest := s.data[s.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return true, s.skipPast("<!--", "-->")
	case bytes.HasPrefix(rest, []byte("<?")):
		return true, s.skipPast("<?", "?>")
	case bytes.HasPrefix(rest, []byte("<!")) && !bytes.HasPrefix(rest, []byte(cdataStart)):
		return false, s.errorf("document types are not accepted")
	}
	return false, nil
}

// skipPast skips what stands between start, which is here, and end.
func (s *xmlScanner) skipPast(start, end string) error {
	length := bytes.Index(s.data[s.pos+len(start):], []byte(end))
	if length < 0 {
		return s.errorf("unexpected end after %s", start)
	}
	s.pos += len(start) + length + len(end)
	return nil
}

// element reads an element, which begins here, and adds it to parent if the
// parent's shape keeps it.
func (s *xmlScanner) element(parent *node, sh *shape, depth int) error {
	if depth > maxDepth {
		return s.errorf("nested too deep")
	}
	s.pos++
	tag, err := s.name()
	if err != nil {
		return err
	}
	name, child := sh.member(tag)
	if sh != nil && sh.free {
		name = unescapeXMLName(name)
	}
	n := node{kind: nodeText}
	empty, err := s.attributes(&n, child)
	if err != nil {
		return err
	}
	if !empty {
		if err := s.content(&n, child, tag, depth); err != nil {
			return err
		}
	}
	if child != nil {
		parent.members = append(parent.members, nodeMember{name, n})
	}
	return nil
}

// name reads the name of an element or attribute.
func (s *xmlScanner) name() ([]byte, error) {
	length := bytes.IndexAny(s.data[s.pos:], " \t\r\n/>=<\"'&")
	if length <= 0 {
		return nil, s.errorf("a name is missing or not ended")
	}
	name := s.data[s.pos : s.pos+length]
	s.pos += length
	return name, nil
}

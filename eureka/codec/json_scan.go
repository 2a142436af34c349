package codec

import "fmt"

// jsonScanner reads one JSON value into a node. It is as strict as
// encoding/json about what is JSON.
type jsonScanner struct {
	data []byte // UTF-8
	pos  int
}

// errorf is a syntax error where the scanner stands.
func (s *jsonScanner) errorf(format string, args ...any) error {
	return &SyntaxError{Format: "JSON", Offset: s.pos, Problem: fmt.Sprintf(format, args...)}
}

// peek is the next byte that is no white space, 0 at the end.
func (s *jsonScanner) peek() byte {
	for s.pos < len(s.data) && isSpace(s.data[s.pos]) {
		s.pos++
	}
	if s.pos == len(s.data) {
		return 0
	}
	return s.data[s.pos]
}

// value reads a value and keeps what sh says of it.
func (s *jsonScanner) value(sh *shape, depth int) (node, error) {
	if depth > maxDepth {
		return node{}, s.errorf("nested too deep")
	}
	switch b := s.peek(); {
	case b == '{':
		return s.object(sh, depth)
	case b == '[':
		return s.list(sh, depth)
	case b == '"':
		raw, escaped, err := s.str()
		if err != nil || sh == nil {
			return node{}, err
		}
		return node{kind: nodeText, text: unquote(raw, escaped)}, nil
	case b == '-' || '0' <= b && b <= '9':
		return s.number(sh)
	case b == 0:
		return node{}, s.unexpected()
	}
	return s.literal(sh)
}

// unexpected is the error of a byte that cannot stand here.
func (s *jsonScanner) unexpected() error {
	if s.pos >= len(s.data) {
		return s.errorf("unexpected end")
	}
	return s.errorf("unexpected %q", s.data[s.pos])
}

// object reads an object, which begins here.
func (s *jsonScanner) object(sh *shape, depth int) (node, error) {
	n := node{kind: nodeObject}
	s.pos++
	if s.peek() == '}' {
		s.pos++
		return n, nil
	}
	for {
		if s.peek() != '"' {
			return n, s.unexpected()
		}
		raw, escaped, err := s.str()
		if err != nil {
			return n, err
		}
		if s.peek() != ':' {
			return n, s.unexpected()
		}
		s.pos++
		if escaped {
			raw = []byte(unquote(raw, true))
		}
		name, child := sh.member(raw)
		value, err := s.value(child, depth+1)
		if err != nil {
			return n, err
		}
		if child != nil {
			n.members = append(n.members, nodeMember{name, value})
		}
		if done, err := s.next('}'); done || err != nil {
			return n, err
		}
	}
}

// list reads an array, which begins here.
func (s *jsonScanner) list(sh *shape, depth int) (node, error) {
	n := node{kind: nodeList}
	var item *shape
	if sh != nil && sh.list {
		item = sh
	}
	s.pos++
	if s.peek() == ']' {
		s.pos++
		return n, nil
	}
	for {
		value, err := s.value(item, depth+1)
		if err != nil {
			return n, err
		}
		if item != nil {
			if item.most > 0 && len(n.members) == item.most {
				return n, s.errorf("more than %d items", item.most)
			}
			n.members = append(n.members, nodeMember{node: value})
		}
		if done, err := s.next(']'); done || err != nil {
			return n, err
		}
	}
}

// next reads the comma after a value, or the given end, and reports the end.
func (s *jsonScanner) next(end byte) (bool, error) {
	switch s.peek() {
	case end:
		s.pos++
		return true, nil
	case ',':
		s.pos++
		return false, nil
	}
	return false, s.unexpected()
}

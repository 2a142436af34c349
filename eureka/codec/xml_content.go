package codec

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// cdataStart and cdataEnd surround text without escapes.
const (
	cdataStart = "<![CDATA["
	cdataEnd   = "]]>"
)

// attributes reads the rest of a start tag. Those that sh knows become members
// of n. It reports whether the tag ends its element too.
func (s *xmlScanner) attributes(n *node, sh *shape) (empty bool, err error) {
	for {
		s.space()
		rest := s.data[s.pos:]
		switch {
		case bytes.HasPrefix(rest, []byte(">")):
			s.pos++
			return false, nil
		case bytes.HasPrefix(rest, []byte("/>")):
			s.pos += 2
			return true, nil
		}
		if err := s.attribute(n, sh); err != nil {
			return false, err
		}
	}
}

// attribute reads one attribute.
func (s *xmlScanner) attribute(n *node, sh *shape) error {
	tag, err := s.name()
	if err != nil {
		return err
	}
	s.space()
	if s.pos == len(s.data) || s.data[s.pos] != '=' {
		return s.errorf("an attribute has no value")
	}
	s.pos++
	s.space()
	if s.pos == len(s.data) || s.data[s.pos] != '"' && s.data[s.pos] != '\'' {
		return s.errorf("an attribute's value has no quotes")
	}
	quote := s.data[s.pos]
	s.pos++
	length := bytes.IndexByte(s.data[s.pos:], quote)
	if length < 0 {
		return s.errorf("an attribute's value is not ended")
	}
	value, err := s.text(nil, s.data[s.pos:s.pos+length])
	if err != nil {
		return err
	}
	s.pos += length + 1
	if sh == nil || sh.free {
		return nil
	}
	if name, child := sh.member(append([]byte("@"), tag...)); child != nil {
		n.members = append(n.members, nodeMember{name, node{kind: nodeText, text: string(value)}})
	}
	return nil
}

// content reads what is inside the element tag, and its end tag. Text beside
// elements is ignored: it is layout.
func (s *xmlScanner) content(n *node, sh *shape, tag []byte, depth int) error {
	var text []byte
	for {
		length := bytes.IndexByte(s.data[s.pos:], '<')
		if length < 0 {
			return s.errorf("element %s is not ended", quoted(string(tag)))
		}
		var err error
		if text, err = s.text(text, s.data[s.pos:s.pos+length]); err != nil {
			return err
		}
		s.pos += length
		rest := s.data[s.pos:]
		if bytes.HasPrefix(rest, []byte("</")) {
			if n.kind == nodeText && sh != nil {
				n.text = string(text)
			}
			return s.end(tag)
		}
		if bytes.HasPrefix(rest, []byte(cdataStart)) {
			start := s.pos + len(cdataStart)
			if err := s.skipPast(cdataStart, cdataEnd); err != nil {
				return err
			}
			text = appendXMLLines(text, s.data[start:s.pos-len(cdataEnd)])
			continue
		}
		if skipped, err := s.markup(); skipped || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		n.kind = nodeObject
		if err := s.element(n, sh, depth+1); err != nil {
			return err
		}
	}
}

// end reads the end tag of the element tag, which begins here.
func (s *xmlScanner) end(tag []byte) error {
	s.pos += len("</")
	if !bytes.HasPrefix(s.data[s.pos:], tag) {
		return s.errorf("element %s is not ended", quoted(string(tag)))
	}
	s.pos += len(tag)
	s.space()
	if s.pos == len(s.data) || s.data[s.pos] != '>' {
		return s.errorf("element %s is not ended", quoted(string(tag)))
	}
	s.pos++
	return nil
}

// text appends what raw means to text: without references, and with every
// line ended by a newline.
func (s *xmlScanner) text(text, raw []byte) ([]byte, error) {
	for {
		plain := bytes.IndexByte(raw, '&')
		if plain < 0 {
			return appendXMLLines(text, raw), nil
		}
		text = appendXMLLines(text, raw[:plain])
		raw = raw[plain+1:]
		end := bytes.IndexByte(raw, ';')
		if end < 0 {
			return nil, s.errorf("a reference has no end")
		}
		r, ok := reference(string(raw[:end]))
		if !ok {
			return nil, s.errorf("unknown reference %s", quoted(string(raw[:end])))
		}
		text = utf8.AppendRune(text, r)
		raw = raw[end+1:]
	}
}

// reference is the character that a reference stands for. Control characters
// are taken, although XML 1.0 has none: upstream servers send them so.
func reference(name string) (rune, bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || code > utf8.MaxRune {
		return 0, false
	}
	return rune(code), utf8.ValidRune(rune(code))
}

// appendXMLLines appends raw with every line ended by a newline.
func appendXMLLines(text, raw []byte) []byte {
	for {
		cr := bytes.IndexByte(raw, '\r')
		if cr < 0 {
			return append(text, raw...)
		}
		text = append(text, raw[:cr]...)
		raw = raw[cr+1:]
		if len(raw) == 0 || raw[0] != '\n' {
			text = append(text, '\n')
		}
	}
}

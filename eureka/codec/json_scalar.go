package codec

import (
	"unicode/utf16"
	"unicode/utf8"
)

// literal reads true, false or null.
func (s *jsonScanner) literal(sh *shape) (node, error) {
	for _, word := range [...]string{"true", "false", "null"} {
		end := s.pos + len(word)
		if end > len(s.data) || string(s.data[s.pos:end]) != word {
			continue
		}
		s.pos = end
		if sh == nil || word == "null" {
			return node{}, nil
		}
		return node{kind: nodeText, text: word}, nil
	}
	return node{}, s.unexpected()
}

// number reads a number and keeps it as it is written.
func (s *jsonScanner) number(sh *shape) (node, error) {
	start := s.pos
	s.accept("-")
	if !s.accept("0") && s.digits() == 0 {
		return node{}, s.unexpected()
	}
	if s.accept(".") && s.digits() == 0 {
		return node{}, s.unexpected()
	}
	if s.accept("eE") {
		s.accept("+-")
		if s.digits() == 0 {
			return node{}, s.unexpected()
		}
	}
	if sh == nil {
		return node{}, nil
	}
	return node{kind: nodeText, text: string(s.data[start:s.pos])}, nil
}

// accept reads a byte that is one of those given, and reports whether it did.
func (s *jsonScanner) accept(bytes string) bool {
	if s.pos == len(s.data) {
		return false
	}
	for i := range len(bytes) {
		if s.data[s.pos] == bytes[i] {
			s.pos++
			return true
		}
	}
	return false
}

// digits reads decimal digits and says how many there were.
func (s *jsonScanner) digits() int {
	start := s.pos
	for s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - start
}

// str reads a string, which begins here, and returns what is between the
// quotes and whether there are escapes in it, all of them sound.
func (s *jsonScanner) str() (raw []byte, escaped bool, err error) {
	s.pos++
	start := s.pos
	for s.pos < len(s.data) {
		switch b := s.data[s.pos]; {
		case b == '"':
			s.pos++
			return s.data[start : s.pos-1], escaped, nil
		case b == '\\':
			escaped = true
			if err := s.escape(); err != nil {
				return nil, false, err
			}
		case b < 0x20:
			return nil, false, s.errorf("unescaped control character in a string")
		default:
			s.pos++
		}
	}
	return nil, false, s.errorf("unexpected end of a string")
}

// escape reads one escape sequence, which begins here.
func (s *jsonScanner) escape() error {
	s.pos++
	if s.accept(`"\/bfnrt`) {
		return nil
	}
	if s.accept("u") {
		if _, ok := hexUnit(s.data[s.pos:]); ok {
			s.pos += 4
			return nil
		}
	}
	return s.errorf("unknown escape in a string")
}

// unquote is the text of a string whose escapes are sound. Half a surrogate
// pair becomes U+FFFD.
func unquote(raw []byte, escaped bool) string {
	if !escaped {
		return string(raw)
	}
	text := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			text = append(text, raw[i])
			i++
			continue
		}
		if raw[i+1] != 'u' {
			text = append(text, unescapeJSON(raw[i+1]))
			i += 2
			continue
		}
		unit, _ := hexUnit(raw[i+2:])
		i += 6
		if utf16.IsSurrogate(unit) {
			pair := rune(utf8.RuneError)
			if low, ok := jsonUnit(raw[i:]); ok {
				pair = utf16.DecodeRune(unit, low)
			}
			if pair != utf8.RuneError {
				i += 6
			}
			unit = pair
		}
		text = utf8.AppendRune(text, unit)
	}
	return string(text)
}

// jsonUnit reads the escape of one unit of UTF-16 at the start of raw.
func jsonUnit(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	return hexUnit(raw[2:])
}

// unescapeJSON is what a backslash and b stand for.
func unescapeJSON(b byte) byte {
	switch b {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return b
}

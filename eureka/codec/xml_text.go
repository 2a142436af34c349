package codec

import (
	"strconv"
	"unicode/utf8"
)

// xmlPlain marks the bytes that stand for themselves inside XML text. Tab and
// newline do, as upstream writes them.
var xmlPlain = func() (plain [256]bool) {
	for b := 0x20; b < 0x7F; b++ {
		plain[b] = true
	}
	for _, b := range []byte(`&<>"'`) {
		plain[b] = false
	}
	plain['\t'], plain['\n'] = true, true
	return plain
}()

// appendXMLText appends s as the text of an element. What XML 1.0 cannot hold,
// even as a reference, becomes U+FFFD: upstream writes a reference that strict
// parsers refuse, and with it the whole registry.
func appendXMLText(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		if xmlPlain[s[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r > 0x9F && !isForbiddenInXML(r) && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = appendXMLEscape(dst, r)
		i += size
		start = i
	}
	return append(dst, s[start:]...)
}

// appendXMLEscape appends a character that may not stand for itself.
func appendXMLEscape(dst []byte, r rune) []byte {
	switch r {
	case '&':
		return append(dst, "&amp;"...)
	case '<':
		return append(dst, "&lt;"...)
	case '>':
		return append(dst, "&gt;"...)
	case '"':
		return append(dst, "&quot;"...)
	case '\'':
		return append(dst, "&apos;"...)
	}
	if r == utf8.RuneError || isForbiddenInXML(r) {
		return append(dst, "\uFFFD"...)
	}
	// A carriage return, which parsers would take for a newline, and the
	// controls from U+007F to U+009F.
	dst = append(dst, "&#x"...)
	dst = strconv.AppendInt(dst, int64(r), 16)
	return append(dst, ';')
}

// isForbiddenInXML reports whether r is no character of XML 1.0.
func isForbiddenInXML(r rune) bool {
	if r < 0x20 {
		return r != '\t' && r != '\n' && r != '\r'
	}
	return r == 0xFFFE || r == 0xFFFF
}

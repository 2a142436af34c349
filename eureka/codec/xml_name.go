package codec

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// xmlLetters are the letters beyond ASCII that stand for themselves in names.
// The two editions of XML 1.0 in use disagree on which characters a name may
// have; these are letters of living alphabets that both allow. Any other is
// escaped, which every Eureka client reads back.
var xmlLetters = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x00C0, Hi: 0x00D6, Stride: 1}, // Latin
	{Lo: 0x00D8, Hi: 0x00F6, Stride: 1},
	{Lo: 0x00F8, Hi: 0x0131, Stride: 1},
	{Lo: 0x0134, Hi: 0x013E, Stride: 1},
	{Lo: 0x0141, Hi: 0x0148, Stride: 1},
	{Lo: 0x014A, Hi: 0x017E, Stride: 1},
	{Lo: 0x0388, Hi: 0x038A, Stride: 1}, // Greek
	{Lo: 0x038E, Hi: 0x03A1, Stride: 1},
	{Lo: 0x03A3, Hi: 0x03CE, Stride: 1},
	{Lo: 0x0401, Hi: 0x040C, Stride: 1}, // Cyrillic
	{Lo: 0x040E, Hi: 0x044F, Stride: 1},
	{Lo: 0x0451, Hi: 0x045C, Stride: 1},
	{Lo: 0x045E, Hi: 0x0481, Stride: 1},
	{Lo: 0x05D0, Hi: 0x05EA, Stride: 1}, // Hebrew
	{Lo: 0x0621, Hi: 0x063A, Stride: 1}, // Arabic
	{Lo: 0x0641, Hi: 0x064A, Stride: 1},
	{Lo: 0x0905, Hi: 0x0939, Stride: 1}, // Devanagari
	{Lo: 0x0E01, Hi: 0x0E2E, Stride: 1}, // Thai
	{Lo: 0x1E00, Hi: 0x1E9B, Stride: 1}, // Latin, Vietnamese
	{Lo: 0x1EA0, Hi: 0x1EF9, Stride: 1},
	{Lo: 0x3041, Hi: 0x3094, Stride: 1}, // Hiragana
	{Lo: 0x30A1, Hi: 0x30FA, Stride: 1}, // Katakana
	{Lo: 0x4E00, Hi: 0x9FA5, Stride: 1}, // Chinese characters
	{Lo: 0xAC00, Hi: 0xD7A3, Stride: 1}, // Hangul
}}

// appendXMLName appends a metadata key as the name of an element, escaped as
// upstream escapes it (protocol section 4.7, field case 16), with two
// differences that every client reads back: a colon is escaped, because
// parsers that know namespaces refuse the document otherwise, and so are the
// letters that are not in xmlLetters. An escape holds one unit of UTF-16, so a
// character beyond it takes two. The key must not be empty.
func appendXMLName(dst []byte, key string) []byte {
	for i, r := range key {
		switch {
		case r == '_':
			dst = append(dst, "__"...)
		case r == '$':
			dst = append(dst, "_-"...)
		case isASCIILetter(r), i > 0 && isASCIINameTail(r):
			dst = append(dst, byte(r))
		case r >= utf8.RuneSelf && unicode.Is(xmlLetters, r):
			dst = utf8.AppendRune(dst, r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			dst = appendNameEscape(dst, high)
			dst = appendNameEscape(dst, low)
		default:
			dst = appendNameEscape(dst, r)
		}
	}
	return dst
}

// isASCIILetter reports whether r may begin a name.
func isASCIILetter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// isASCIINameTail reports whether r may follow in a name, letters aside.
func isASCIINameTail(r rune) bool { return '0' <= r && r <= '9' || r == '.' || r == '-' }

// appendNameEscape appends one unit of UTF-16.
func appendNameEscape(dst []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '_', '.', digits[unit>>12&0xF], digits[unit>>8&0xF], digits[unit>>4&0xF], digits[unit&0xF])
}

// unescapeXMLName reads a metadata key back from the name of an element. An
// underscore that begins no escape stands for itself, as in names that people
// write by hand.
func unescapeXMLName(name string) string {
	if !strings.Contains(name, "_") {
		return name
	}
	var b strings.Builder
	for name != "" {
		if name[0] != '_' || len(name) == 1 {
			b.WriteByte(name[0])
			name = name[1:]
			continue
		}
		text, size := unescapeName(name)
		b.WriteString(text)
		name = name[size:]
	}
	return b.String()
}

// unescapeName reads the escape at the start of name, and says how long it is.
func unescapeName(name string) (string, int) {
	const unitSize = len("_.0000")
	switch name[1] {
	case '_':
		return "_", 2
	case '-':
		return "$", 2
	}
	unit, ok := nameUnit(name)
	if !ok {
		return "_", 1
	}
	if !utf16.IsSurrogate(unit) {
		return string(unit), unitSize
	}
	low, _ := nameUnit(name[unitSize:])
	if r := utf16.DecodeRune(unit, low); r != utf8.RuneError {
		return string(r), 2 * unitSize
	}
	return string(utf8.RuneError), unitSize
}

// nameUnit reads the escape of one unit at the start of name.
func nameUnit(name string) (rune, bool) {
	if len(name) < 6 || name[0] != '_' || name[1] != '.' {
		return 0, false
	}
	return hexUnit(name[2:6])
}

// hexUnit reads four hexadecimal digits.
func hexUnit[T string | []byte](digits T) (rune, bool) {
	if len(digits) < 4 {
		return 0, false
	}
	var unit rune
	for i := range 4 {
		switch d := digits[i]; {
		case '0' <= d && d <= '9':
			unit = unit<<4 | rune(d-'0')
		case 'a' <= d && d <= 'f':
			unit = unit<<4 | rune(d-'a'+10)
		case 'A' <= d && d <= 'F':
			unit = unit<<4 | rune(d-'A'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}

package codec

import (
	"strconv"
	"unicode/utf8"
)

// SyntaxError says that a body is no document at all, or not one of what was
// asked for. The text is one line, fit to be sent to whoever sent the body.
type SyntaxError struct {
	// Format is "JSON" or "XML".
	Format string
	// Offset is where in the body reading stopped, in bytes.
	Offset int
	// Problem says what stands in the way there.
	Problem string
}

// Error says what could not be parsed, where and why.
func (e *SyntaxError) Error() string {
	return e.Format + " could not be parsed at byte " + strconv.Itoa(e.Offset) + ": " + e.Problem
}

// FieldError says that a field of an instance is there but cannot be read. The
// text is one line that names the field, fit to be sent to whoever sent the
// body (field case 8).
type FieldError struct {
	// Field is the name on the wire; a field of a field has a dot in it.
	Field string
	// Problem says what is wrong; empty when the field is missing.
	Problem string
}

// Error names the field and says what is wrong with it. A missing field is
// told in upstream's words.
func (e *FieldError) Error() string {
	if e.Problem == "" {
		return "Missing " + e.Field
	}
	return e.Field + ": " + e.Problem
}

// quoted is a value of the sender's inside a message: short, and on one line.
func quoted(value string) string {
	const longest = 40
	if len(value) <= longest {
		return strconv.Quote(value)
	}
	cut := longest
	for !utf8.RuneStart(value[cut]) {
		cut--
	}
	return strconv.Quote(value[:cut]) + "…"
}

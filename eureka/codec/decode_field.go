package codec

import (
	"math"
	"strconv"
	"strings"

	"github.com/eurekube/eurekube/eureka"
)

// fieldReader reads fields of objects and keeps the first error, so that an
// instance can be read as one expression.
type fieldReader struct {
	// upperGroup upper-cases appGroupName, as upstream does in JSON alone.
	upperGroup bool
	err        error
}

// fail keeps the error of a field, unless there is one already.
func (r *fieldReader) fail(field, problem string) {
	if r.err == nil {
		r.err = &FieldError{Field: field, Problem: problem}
	}
}

// text reads a text field, empty when absent. Numbers and truth values are
// taken as they are written.
func (r *fieldReader) text(n *node, name string) string {
	value := n.member(name)
	if value.kind == nodeObject || value.kind == nodeList {
		r.fail(name, "is not text")
	}
	return value.text
}

// number reads a field that holds an integer.
func (r *fieldReader) number(n *node, name string, absent int64) int64 {
	return r.numberOf(n.member(name), name, absent)
}

// numberOf reads an integer, absent when it is null or empty.
func (r *fieldReader) numberOf(value *node, field string, absent int64) int64 {
	if value.kind == nodeNull || value.kind == nodeText && value.text == "" {
		return absent
	}
	number, ok := parseInteger(value.text)
	if !ok || value.kind != nodeText {
		r.fail(field, problem(value, "no integer"))
	}
	return number
}

// bounded reads an integer field between two bounds, which are allowed.
func (r *fieldReader) bounded(n *node, name string, absent, lowest, highest int64) int64 {
	return r.boundedOf(n.member(name), name, absent, lowest, highest)
}

// boundedOf reads an integer between two bounds, which are allowed.
func (r *fieldReader) boundedOf(value *node, field string, absent, lowest, highest int64) int64 {
	number := r.numberOf(value, field, absent)
	if number < lowest || number > highest {
		r.fail(field, problem(value, "out of range"))
	}
	return number
}

// problem says that a value is not what it should be, with the value if it is
// text.
func problem(value *node, what string) string {
	if value.kind != nodeText {
		return "is " + what
	}
	return quoted(value.text) + " is " + what
}

// parseInteger reads an integer, also one that is written with a fraction or
// an exponent, as JSON libraries do whose only number is a float: the time may
// arrive as 1.7e+12. Beyond 2^53 such a number is no longer the one meant.
func parseInteger(text string) (int64, bool) {
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number, true
	}
	const exact = 1 << 53
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, false
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || number != math.Trunc(number) || math.Abs(number) > exact {
		return 0, false
	}
	return int64(number), true
}

// flag reads a truth value in any case, as JSON has it or as text.
func (r *fieldReader) flag(value *node, field string, absent bool) bool {
	switch {
	case value.kind == nodeNull, value.kind == nodeText && value.text == "":
		return absent
	case value.kind == nodeText && strings.EqualFold(value.text, "true"):
		return true
	case value.kind == nodeText && strings.EqualFold(value.text, "false"):
		return false
	}
	r.fail(field, problem(value, "neither true nor false"))
	return absent
}

// status reads a status word in any case.
func (r *fieldReader) status(value *node, field string, absent eureka.Status) eureka.Status {
	if value.kind == nodeNull || value.kind == nodeText && value.text == "" {
		return absent
	}
	status, ok := eureka.ParseStatus(value.text)
	if !ok {
		r.fail(field, problem(value, "no status"))
	}
	return status
}

// metadata reads a flat map. Null values are dropped: clients would read them
// as the text "null". It is nil when nothing is left.
func (r *fieldReader) metadata(value *node, field string) map[string]string {
	if value.isEmpty() {
		return nil
	}
	if value.kind != nodeObject {
		r.fail(field, "is no object")
		return nil
	}
	var m map[string]string
	for i := range value.members {
		entry := &value.members[i]
		if !IsMetadataKey(entry.name) {
			continue
		}
		switch entry.node.kind {
		case nodeNull:
			delete(m, entry.name)
		case nodeText:
			if m == nil {
				m = make(map[string]string, len(value.members))
			}
			m[entry.name] = entry.node.text
		default:
			r.fail(field, "the value of "+quoted(entry.name)+" is not text")
		}
	}
	if len(m) == 0 {
		return nil
	}
	return m
}

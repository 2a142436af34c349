package codec

import (
	"strconv"

	"github.com/eurekube/eurekube/eureka"
)

// Every appendJSON function for a member writes a comma after it, and
// closeJSONObject turns the last comma into the brace: which members an
// instance has differs, so no member can know whether it is the first.
// Names are passed with their quotes and colon.

// appendJSONText appends a text member, or nothing when it is empty.
func appendJSONText(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(dst, name...)
	dst = appendJSONString(dst, value)
	return append(dst, ',')
}

// appendJSONNullable appends a text member, with null when it is empty.
func appendJSONNullable(dst []byte, name, value string) []byte {
	if value == "" {
		dst = append(dst, name...)
		return append(dst, `null,`...)
	}
	return appendJSONText(dst, name, value)
}

// appendJSONNumber appends a number member.
func appendJSONNumber(dst []byte, name string, value int64) []byte {
	dst = append(dst, name...)
	dst = strconv.AppendInt(dst, value, 10)
	return append(dst, ',')
}

// appendJSONQuotedNumber appends a number as text, as full JSON has its
// timestamps.
func appendJSONQuotedNumber(dst []byte, name string, value int64) []byte {
	dst = append(dst, name...)
	dst = append(dst, '"')
	dst = strconv.AppendInt(dst, value, 10)
	return append(dst, `",`...)
}

// appendJSONPort appends a port. Strict clients want the number as a number
// and the claim as text (field case 3).
func appendJSONPort(dst []byte, name string, p eureka.Port) []byte {
	dst = append(dst, name...)
	dst = append(dst, `{"$":`...)
	dst = strconv.AppendInt(dst, int64(p.Number), 10)
	dst = append(dst, `,"@enabled":"`...)
	dst = strconv.AppendBool(dst, p.Enabled)
	return append(dst, `"},`...)
}

// closeJSONObject ends an object that has at least one member.
func closeJSONObject(dst []byte) []byte {
	dst[len(dst)-1] = '}'
	return dst
}

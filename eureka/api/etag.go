package api

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/eurekube/eurekube/eureka/codec"
)

// etag names the exact bytes of an answer (RFC 9110 section 8.8.3).
type etag struct {
	nonce   string
	kind    byte
	version int64
	form    codec.Form
	zip     bool
}

// String is the header's value.
func (t etag) String() string {
	b := make([]byte, 0, 48)
	b = append(b, '"')
	b = append(b, t.nonce...)
	b = append(b, '-', t.kind)
	b = strconv.AppendInt(b, t.version, 36)
	b = append(b, '-', '0'+byte(t.form))
	if t.zip {
		b = append(b, 'z')
	}
	return string(append(b, '"'))
}

// matches reports whether If-None-Match of a request names this answer, by the
// weak comparison that RFC 9110 section 13.1.2 asks for.
func (t etag) matches(h http.Header) bool {
	lines := h.Values("If-None-Match")
	if len(lines) == 0 {
		return false
	}
	want := t.String()
	for _, line := range lines {
		for candidate := range strings.SplitSeq(line, ",") {
			candidate = strings.TrimSpace(candidate)
			if candidate == "*" || strings.TrimPrefix(candidate, "W/") == want {
				return true
			}
		}
	}
	return false
}

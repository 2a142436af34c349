package api

import (
	"iter"
	"net/url"
	"strconv"
	"strings"

	"github.com/eurekube/eurekube/eureka"
)

// parameter is one parameter of a query, decoded.
type parameter struct {
	name, value string
	malformed   bool // an escape in it cannot be decoded
}

// parameters yields what stands between the ampersands of a query, in order. It
// is not url.ParseQuery because heartbeats are the most frequent request and
// need no map, and because Jersey, unlike that, takes a semicolon for text.
func parameters(query string) iter.Seq[parameter] {
	return func(yield func(parameter) bool) {
		for part := range strings.SplitSeq(query, "&") {
			if part == "" {
				continue
			}
			name, value, _ := strings.Cut(part, "=")
			var p parameter
			var err, valueErr error
			p.name, err = url.QueryUnescape(name)
			p.value, valueErr = url.QueryUnescape(value)
			p.malformed = err != nil || valueErr != nil
			if err != nil {
				p.name = name
			}
			if !yield(p) {
				return
			}
		}
	}
}

// first is the first parameter of the given name; Jersey ignores the others.
func first(query, name string) (parameter, bool) {
	for p := range parameters(query) {
		if p.name == name {
			return p, true
		}
	}
	return parameter{}, false
}

// timestamp reads a parameter that holds milliseconds since 1970, of either
// sign; present is false when there is none.
func timestamp(query, name string) (value int64, present bool, err error) {
	p, present := first(query, name)
	if !present {
		return 0, false, nil
	}
	value, err = strconv.ParseInt(p.value, 10, 64)
	if err != nil || p.malformed {
		return 0, true, badRequest(name + " is no number of milliseconds")
	}
	return value, true, nil
}

// status reads a parameter that holds a status, in any case; it is empty when
// there is none.
func status(query, name string) (eureka.Status, error) {
	p, present := first(query, name)
	if !present {
		return "", nil
	}
	s, ok := eureka.ParseStatus(p.value)
	if !ok || p.malformed {
		return "", badRequest(name + " is none of UP, DOWN, STARTING, OUT_OF_SERVICE and UNKNOWN")
	}
	return s, nil
}

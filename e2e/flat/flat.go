// Package flat turns documents in JSON and XML into paths and values, such as
//
//	/applications/application[ORDERS]/instance[i1]/port/$  8080
//
// so that tests can compare what two servers say: neither the order of maps nor
// that of lists counts. It decodes with the standard library alone, so that a
// mistake of the codec under test cannot hide.
//
// It knows nothing of Eureka: what tells the items of a list apart is the caller's
// to say. It is not for recordings, which the product's own tests compare: neither
// module imports the other. Everything here may be called by many goroutines at
// once, as long as nobody changes the document meanwhile.
package flat

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Document is a document by path. What holds other values has a path too, with
// the value Nested.
type Document map[string]string

// Nested is the value of what holds other values.
const Nested = "…"

// Reader reads documents.
type Reader struct {
	// Names are the members, or child elements, that tell the items of a list
	// apart; the first that an item has counts. Items without any are told apart by
	// their place.
	Names []string
	// Repeated are the XML elements that may stand in a list: nothing else tells
	// a list of one from what is no list.
	Repeated []string
}

// twins are how often each name was met among its siblings.
type twins map[string]int

// name is the name itself the first time, and then with #2, #3 and so on behind it:
// what is there twice differs from what is there once.
func (t twins) name(name string) string {
	t[name]++
	if t[name] == 1 {
		return name
	}
	return name + "#" + strconv.Itoa(t[name])
}

// Difference is a path with two values, Absent for what is not there.
type Difference struct{ Path, Want, Got string }

// Absent is the value of what is not there.
const Absent = "-"

// String is "path: want → got".
func (d Difference) String() string {
	return d.Path + ": " + d.Want + " → " + d.Got
}

// Compare lists the differences, sorted by path. Of what is on one side only,
// what is inside is not listed.
func Compare(want, got Document) []Difference {
	paths := maps.Clone(want)
	maps.Copy(paths, got)
	var all []Difference
	lone := "\x00" // no path begins with it
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if rest, inside := strings.CutPrefix(path, lone); inside && (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "[")) {
			continue
		}
		w, inWant := want[path]
		g, inGot := got[path]
		switch {
		case !inGot:
			all = append(all, Difference{path, w, Absent})
			lone = path
		case !inWant:
			all = append(all, Difference{path, Absent, g})
			lone = path
		case w != g:
			all = append(all, Difference{path, w, g})
		}
	}
	return all
}
